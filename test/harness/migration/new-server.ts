import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type DeployedPair, deployContracts } from '@heirloom/adapters/contracts'
import type { PublicClient } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { connect } from '../../../packages/adapters/src/ledger/connection.ts'
import { type Anvil, testClient } from '../chain/anvil.ts'
import { deployDollar } from '../chain/order-payment.ts'
import { heirloom } from '../process/heirloom.ts'
import { serverProgram } from '../process/server.ts'

/** A pair on another chain, and the environment of its server. */
export type NewServer = {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** The file that holds the environment. */
  readonly file: string
  readonly pair: DeployedPair
  readonly client: PublicClient
}

/**
 * Deploys a pair with a test dollar by a new wallet, and writes the environment of its server, with
 * more settings.
 */
export async function buildNewServer(
  anvil: Anvil,
  home: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<NewServer> {
  const key = generatePrivateKey()
  const wallet = privateKeyToAccount(key)
  const client = connect(anvil.url)
  await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 18n })
  const dollar = await deployDollar(client, wallet)
  const pair = await deployContracts({ chain: anvil.url, wallet, dollar })
  const folder = join(home, 'new')
  const env = {
    DATA_DIR: folder,
    RPC_URL: anvil.url.href,
    REGISTRY_ADDRESS: pair.registry,
    MARKETPLACE_ADDRESS: pair.marketplace,
    AGENT_PRIVATE_KEY: key,
    MASTER_KEYS: randomBytes(32).toString('hex'),
    ...settings,
  }
  mkdirSync(home, { recursive: true })
  return { folder, env, file: writeEnvironment(home, 'new', env), pair, client }
}

/** Returns the same server as another machine would have it, with a data folder of its own. */
export function copyNewServer(server: NewServer, home: string): NewServer {
  const folder = join(home, 'elsewhere')
  const env = { ...server.env, DATA_DIR: folder }
  return { ...server, folder, env, file: writeEnvironment(home, 'elsewhere', env) }
}

function writeEnvironment(home: string, name: string, env: NewServer['env']): string {
  const file = join(home, `${name}.env`)
  const lines = Object.entries(env).map(([variable, value]) => `${variable}=${value}\n`)
  writeFileSync(file, lines.join(''))
  return file
}

/** The end of a run of `heirloom migrate`: its code, `null` when it was killed, and its output. */
export type Run = { readonly code: number | null; readonly out: string; readonly err: string }

export declare namespace migrate {
  type Options = {
    readonly from: string
    /** Further settings of the old server. */
    readonly env?: Readonly<Record<string, string>>
    readonly to: Pick<NewServer, 'file' | 'folder'>
    /** Kills the process as soon as the journal has so many lines. */
    readonly killAt?: number
  }
}

/** A run of `heirloom migrate` in a process of its own. */
export type Running = { readonly process: ChildProcess; readonly ended: Promise<Run> }

/** Starts `heirloom migrate` in a process. */
export function startMigrate(
  { from, env, to, killAt }: migrate.Options,
  ...flags: readonly string[]
): Running {
  const child = spawn(process.execPath, [serverProgram, 'migrate', '--to', to.file, ...flags], {
    env: { PATH: process.env.PATH, ...env, DATA_DIR: from },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const journal = killAt === undefined ? undefined : watchLines(to.folder)
  journal?.onLines((count) => count >= (killAt ?? 0) && child.kill('SIGKILL'))
  const ended = async (): Promise<Run> => {
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit') as Promise<[number | null]>,
    ])
    journal?.close()
    return { code, out, err }
  }
  return { process: child, ended: ended() }
}

/** Runs `heirloom migrate` to its end, in a process of its own where it is killed. */
export async function migrate(options: migrate.Options, ...flags: readonly string[]): Promise<Run> {
  const { from, env, to, killAt } = options
  if (killAt !== undefined) return startMigrate(options, ...flags).ended
  const words = ['migrate', '--to', to.file, ...flags]
  const { code, output, errors } = await heirloom({ ...env, DATA_DIR: from }, ...words)
  return { code, out: output, err: errors }
}

/** Returns the number of lines of the journal in a folder. */
export function linesOf(folder: string): number {
  const path = join(folder, 'migration.jsonl')
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0
}

function watchLines(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const watcher = watch(folder)
  return {
    onLines: (call: (count: number) => void) => watcher.on('change', () => call(linesOf(folder))),
    close: () => watcher.close(),
  }
}
