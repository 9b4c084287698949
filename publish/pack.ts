import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildCli } from './build-cli.ts'
import { buildLibraries, lowerDeclarations, workspace } from './build-libraries.ts'
import { buildClient } from './client/build-client.ts'
import { referencePages, writePages } from './reference-pages.ts'

// Packs the four packages, and the client and the command line that are made from them, into tarballs for a registry, and
// writes their reference and the wheel of heirloom.py beside them. With `--built` the program in
// `packages/http/dist` is taken as it is, and there is no reference and no wheel.

const [path] = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isBuilt = process.argv.includes('--built')
const folder = resolve(path ?? join(workspace, 'dist'))
const into = ['pack', '--pack-destination', folder]

await buildLibraries()
const client = await buildClient(workspace)
if (!isBuilt) run(workspace, process.execPath, join(workspace, 'packages/http/build.ts'))
mkdirSync(folder, { recursive: true })
if (!isBuilt) writePages(join(folder, 'reference'), referencePages(workspace))
// The pages have the types as they are written.
for (const folder of [...globSync(join(workspace, 'packages/*/lib')), client])
  lowerDeclarations(folder)
run(workspace, 'pnpm', '--recursive', '--filter', './packages/*', ...into)
for (const made of [client, buildCli(workspace)]) run(made, 'pnpm', '--ignore-workspace', ...into)
if (!isBuilt) packWheel()

function packWheel(): void {
  const manifest = readFileSync(join(workspace, 'packages/http/package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { readonly version: string }
  run(
    workspace,
    'python3',
    '-B',
    join(import.meta.dirname, 'python/build_wheel.py'),
    version,
    folder,
  )
}

function run(cwd: string, program: string, ...args: readonly string[]): void {
  const { status } = spawnSync(program, args, { cwd, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
