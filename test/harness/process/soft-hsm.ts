import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { vi } from 'vitest'
import type { Pkcs11Place } from '../../../packages/adapters/src/ledger/signer/index.ts'
import { longestWait } from '../../tier.ts'
import { end } from './child-process.ts'

/**
 * A token of SoftHSM on this machine. Programs reach it through p11-kit, as a service with a process
 * of its own, which can be killed and started again.
 */
export type SoftHsm = {
  /** The library of the token in the process of its user. */
  readonly direct: Reach
  /** The library that asks the service. */
  readonly remote: Reach
  /** Makes a key of a curve in the token. */
  readonly addKey: (label: string, id: string, curve?: string) => Promise<void>
  readonly start: () => Promise<void>
  readonly signal: (signal: NodeJS.Signals) => Promise<void>
  readonly stop: () => Promise<void>
}

/** A way to the token. */
export type Reach = {
  readonly module: string
  /** The variables that the library needs. */
  readonly env: Readonly<Record<string, string>>
}

/** The label of the token, and the PIN of its user. */
export const token = 'heirloom'
export const pin = 'a pin of the test'

/** Returns the place of a key of the token. */
export const placeOf = ({ module }: Reach, object: string): Pkcs11Place => ({
  module,
  token,
  object,
})

/** Returns the settings of a server whose agent wallet is a key of the token. */
export const settingsOf = ({ module, env }: Reach, object: string) => ({
  ...env,
  AGENT_KEY_SERVICE: `pkcs11:token=${token};object=${object}?module-path=${module}`,
  AGENT_KEY_PIN: pin,
})

const run = promisify(execFile)

/**
 * Makes a token with the key `agent`, and starts its service. The programs of Debian are installed by
 * apt where they are missing.
 *
 * @throws an error with a remedy when they cannot be installed
 */
export async function startSoftHsm(): Promise<SoftHsm> {
  requirePrograms()
  const folder = mkdtempSync(join(tmpdir(), 'hsm-'))
  const direct = { module: softHsmLibrary(), env: { SOFTHSM2_CONF: writeConfig(folder) } }
  const socket = join(folder, 'socket')
  const remote = { module: clientLibrary(), env: { P11_KIT_SERVER_ADDRESS: `unix:path=${socket}` } }
  const env = { ...process.env, ...direct.env }
  const label = ['--label', token]
  await run(
    'softhsm2-util',
    ['--init-token', '--free', ...label, '--pin', pin, '--so-pin', 'of the test'],
    { env },
  )
  const addKey: SoftHsm['addKey'] = async (name, id, curve = 'secp256k1') => {
    const user = ['--token-label', token, '--login', '--pin', pin]
    const key = ['--keypairgen', '--key-type', `EC:${curve}`, '--label', name, '--id', id]
    await run('pkcs11-tool', ['--module', direct.module, ...user, ...key], { env })
  }
  await addKey('agent', '01')
  let service: ChildProcess | undefined
  const start = async () => {
    rmSync(socket, { force: true })
    const words = [
      'server',
      '-f',
      '-n',
      socket,
      '--provider',
      direct.module,
      `pkcs11:token=${token}`,
    ]
    service = spawn('p11-kit', words, { env, stdio: 'ignore', detached: true })
    await vi.waitFor(() => requireFile(socket), { timeout: longestWait, interval: 20 })
  }
  const signal: SoftHsm['signal'] = async (name) => {
    if (service === undefined) return
    if (name === 'SIGSTOP' || name === 'SIGCONT') signalGroup(service, name)
    else {
      signalGroup(service, name)
      await end(service, name)
    }
  }
  await start()
  return {
    direct,
    remote,
    addKey,
    start,
    signal,
    stop: async () => {
      await signal('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Signals the service and the processes that it made for its users. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // It has ended already.
  }
}

function requireFile(path: string): void {
  if (!existsSync(path)) throw new Error(`${path} is not there yet.`)
}

function writeConfig(folder: string): string {
  const [tokens, file] = [join(folder, 'tokens'), join(folder, 'softhsm2.conf')]
  mkdirSync(tokens)
  const lines = [
    `directories.tokendir = ${tokens}`,
    'objectstore.backend = file',
    'log.level = ERROR',
  ]
  writeFileSync(file, [...lines, ''].join('\n'))
  return file
}

const softHsmLibrary = () => library('/usr/lib/{,*/}softhsm/libsofthsm2.so', 'softhsm2')
const clientLibrary = () => library('/usr/lib/{,*/}pkcs11/p11-kit-client.so', 'p11-kit-modules')

function library(pattern: string, name: string): string {
  const [found] = globSync(pattern)
  if (found === undefined) throw new Error(`There is no ${pattern}. ${remedyOf([name])}`)
  return found
}

/** The packages of Debian that have the programs. */
const packageOf = {
  'softhsm2-util': 'softhsm2',
  'pkcs11-tool': 'opensc',
  gpg: 'gnupg',
  'p11-kit': 'p11-kit p11-kit-modules',
}

const missingPackages = (): readonly string[] =>
  Object.entries(packageOf)
    .filter(([program]) => !existsSync(`/usr/bin/${program}`))
    .flatMap(([, names]) => names.split(' '))

/**
 * Installs the programs of key services by apt where they are missing.
 *
 * @throws an error that names the packages when they cannot be installed
 */
export function requirePrograms(): void {
  const packages = missingPackages()
  if (packages.length === 0) return
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const install = ['install', '-y', '--no-install-recommends', ...packages]
    for (const args of [['update'], install]) {
      execFileSync('apt-get', ['-qq', ...args], { stdio: 'pipe', env })
    }
  } catch (cause) {
    throw new Error(remedyOf(packages), { cause })
  }
  const still = missingPackages()
  if (still.length > 0) throw new Error(remedyOf(still))
}

const remedyOf = (packages: readonly string[]) =>
  `The tests of key services need more programs; on Debian: sudo apt-get install ${packages.join(' ')}`
