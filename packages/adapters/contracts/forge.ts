import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Runs forge offline on the contracts of this folder; `settings` override `foundry.toml`. */
export function forge(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): SpawnSyncReturns<string> {
  const words = args[0] === 'fmt' ? args : [...args, '--remappings', remapping()]
  const result = spawnSync(binary(), words, {
    cwd: import.meta.dirname,
    env: { ...process.env, FOUNDRY_SOLC: compiler(), ...settings },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (result.error) throw result.error
  return result
}

/** Returns where the package is: its real folder, since `forge coverage` does not follow links. */
function remapping(): string {
  const file = createRequire(import.meta.url).resolve('@openzeppelin/contracts/package.json')
  return `@openzeppelin/contracts/=${dirname(realpathSync(file))}/`
}

/** Returns the path of the program; the package's launcher would not forward our signals. */
function binary(): string {
  const launcher = createRequire(import.meta.url).resolve('@foundry-rs/forge/package.json')
  const processor = process.arch === 'x64' ? 'amd64' : process.arch
  const platform = `@foundry-rs/forge-${process.platform}-${processor}/package.json`
  return join(dirname(createRequire(launcher).resolve(platform)), 'bin/forge')
}

/** Writes a script that forge runs as the compiler, since forge accepts only a path. */
function compiler(): string {
  const folder = join(import.meta.dirname, '../node_modules/.cache/forge')
  const path = join(folder, 'solc')
  const words = [process.execPath, join(import.meta.dirname, 'solc-command.ts')].map(shellQuote)
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${path}.${process.pid}`, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, {
    mode: 0o755,
  })
  renameSync(`${path}.${process.pid}`, path)
  return path
}

function shellQuote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

if (import.meta.main) {
  const args = process.argv.slice(2)
  const settings = args.includes('--long') ? { FOUNDRY_PROFILE: 'long' } : undefined
  const words = args[0] === 'fmt' ? args : ['test', ...args.filter((arg) => arg !== '--long')]
  const { status, stdout, stderr } = forge(words, settings)
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  process.exitCode = status ?? 1
}
