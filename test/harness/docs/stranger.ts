import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { tier } from '../../tier.ts'
import { makeOnce } from '../packages/make-once.ts'
import { firstLine } from '../process/child-process.ts'
import { cleanEnvironment } from './clean-environment.ts'

const execute = promisify(execFile)

/** A project of a stranger, in a folder of its own. */
export type Stranger = {
  readonly folder: string
  readonly write: (path: string, text: string) => void
  /**
   * Installs packages with npm. In the long tier each stranger installs its own; else all have those
   * that one of them installed.
   */
  readonly install: (packages: string) => Promise<void>
  /** Runs a command and returns its standard output; throws with all output when it fails. */
  readonly run: (command: string, environment?: Environment) => Promise<string>
  /** Starts a server, and returns the address it prints first. */
  readonly serve: (command: string, environment?: Environment) => Promise<RunningServer>
  readonly remove: () => void
}

type Environment = Readonly<Record<string, string>>
type RunningServer = { readonly url: string; readonly end: () => Promise<void> }

const tools = join(import.meta.dirname, '../../../node_modules/.bin')

/** Creates an empty project whose package managers find our packages in a registry. */
export function stranger(registry: string): Stranger {
  // Hundreds of megabytes are installed there, and pnpm links files only within one disk.
  const folder = mkdtempSync(join(inject('runFolder'), 'stranger-'))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  write('.npmrc', `@heirloom:registry=${registry}\n`)
  write('.yarnrc.yml', yarnSettings(registry))
  const path = [...quickNpx(), process.env.PATH, tools].join(delimiter)
  const env = { ...cleanEnvironment(process.env), ...quiet, PATH: path }
  const run = async (command: string, environment: Environment = {}) => {
    const [program = '', ...words] = command.split(' ')
    // A counterexample of a law may be large.
    const options = { cwd: folder, env: { ...env, ...environment }, maxBuffer: 2 ** 26 }
    return execute(program, words, options).then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }) => {
        throw new Error(`${command}\n${stdout}${stderr}`)
      },
    )
  }
  return {
    folder,
    write,
    run,
    remove: () => rmSync(folder, { recursive: true, force: true }),
    async install(names) {
      if (tier === 'long') await run(`npm install ${names}`)
      else linkInstalled(folder, await installOnce(registry), names)
    },
    async serve(command, environment = {}) {
      const [program = '', ...words] = command.split(' ')
      const settings = { ...env, PORT: '0', LOG_LEVEL: 'error', ...environment }
      // A process group of its own, so that children of the package manager end too.
      return waitForServer(spawn(program, words, { cwd: folder, env: settings, detached: true }))
    },
  }
}

/**
 * Returns a folder for the path in which `npx` runs what a project has installed, as npx does, without
 * a start of npm for each command; in the long tier none.
 */
function quickNpx(): readonly string[] {
  if (tier === 'long') return []
  const folder = join(inject('runFolder'), 'bin')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'npx'), npx, { mode: 0o755 })
  return [folder]
}

/** The one command of `@heirloom/http` has another name. */
const npx = `#!/bin/sh
name=$1
shift
[ "$name" = @heirloom/http ] && name=heirloom
exec "./node_modules/.bin/$name" "$@"
`

/** All that strangers install, but for what only some test looks at: how little a package brings. */
const allPackages = [
  ...['core', 'adapters', 'testkit', 'http', 'client'].map((it) => `@heirloom/${it}`),
  ...['viem', 'vitest', '@types/node', '@modelcontextprotocol/client'],
  ...['@noble/curves', '@noble/hashes'],
]

/** Installs all packages in a folder, once in a run, and returns the folder. */
const installOnce = (registry: string): Promise<string> =>
  makeOnce('installed', async (folder) => {
    const one = stranger(registry)
    await one.run(`npm install ${allPackages.join(' ')}`)
    renameSync(one.folder, folder)
  })

/** Links the modules of a project to installed ones, among which the named ones must be. */
function linkInstalled(folder: string, installed: string, names: string): void {
  const missing = names.split(' ').filter((it) => !allPackages.includes(it))
  if (missing.length > 0) throw new Error(`${missing} must be among \`allPackages\`.`)
  const modules = join(folder, 'node_modules')
  if (!existsSync(modules)) symlinkSync(join(installed, 'node_modules'), modules)
}

const quiet = {
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  YARN_ENABLE_TELEMETRY: 'false',
}

// Yarn caches a registry by its host name alone, so each project has a cache of its own.
const yarnSettings = (registry: string) => `globalFolder: ./.yarn/global
npmScopes:
  heirloom:
    npmRegistryServer: ${registry}
unsafeHttpWhitelist:
  - 127.0.0.1
`

async function waitForServer(server: ChildProcess): Promise<RunningServer> {
  const { pid, stdout, stderr } = server
  if (pid === undefined || stdout === null || stderr === null) throw new Error('not started')
  const errorOutput = text(stderr)
  const closed = once(server, 'close')
  const url = await firstLine(stdout).catch(async () => {
    throw new Error(await errorOutput)
  })
  return {
    url,
    async end() {
      process.kill(-pid, 'SIGTERM')
      await closed
    },
  }
}

/**
 * Returns versions for the packages of other platforms. Yarn resolves all platforms though it
 * installs only one, and a mirror may lack the others.
 */
export function otherPlatforms(): Readonly<Record<string, string>> {
  const own = `${process.platform}-${process.arch}`
  const others = platforms.filter((it) => ![own, `${own}-gnu`, `${own}-msvc`].includes(it))
  return Object.fromEntries(others.map((it) => [`@nomicfoundation/edr-${it}`, '0.20.0']))
}

const platforms = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm64-gnu',
  'linux-arm64-musl',
  'linux-x64-gnu',
  'linux-x64-musl',
  'win32-x64-msvc',
]
