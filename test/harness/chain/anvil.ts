import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { deployContracts } from '@heirloom/adapters/contracts'
import { instant } from '@heirloom/core'
import { memoryBlobStore, memoryCipher, wallets } from '@heirloom/testkit'
import { createTestClient, type Hex, http, type LocalAccount } from 'viem'
import { afterAll } from 'vitest'
import { connect } from '../../../packages/adapters/src/ledger/connection.ts'
import type { DeployedPair } from '../../../packages/adapters/src/ledger/contract-pair.ts'
import { end, firstLine } from '../process/child-process.ts'
import { freePort } from '../process/free-port.ts'
import type { OpenHarness } from './evm.ts'
import { endowWallets, evmHarness } from './evm.ts'
import { deployDollar } from './order-payment.ts'

/** A running anvil: a second EVM implementation, behind JSON-RPC over HTTP. */
export type Anvil = { readonly url: URL; readonly stop: () => Promise<void> }

/** Starts anvil on a free loopback port, or on a given one to restart it with its state. */
export async function startAnvil({
  port,
  state,
  hardfork = 'osaka',
  chainId = 31337,
}: {
  readonly port?: number
  /** The file from which the chain is loaded, and to which it is saved when anvil stops. */
  readonly state?: string
  /** The rules of the chain, by the name of their hard fork. */
  readonly hardfork?: string
  readonly chainId?: number
} = {}): Promise<Anvil> {
  // One that is restarted has its port again.
  const chosenPort = port ?? (state === undefined ? 0 : await freePort())
  const place = ['--host=127.0.0.1', `--port=${chosenPort}`]
  const options = [...place, `--hardfork=${hardfork}`, `--chain-id=${chainId}`]
  if (state !== undefined) options.push(`--state=${state}`)
  // Below the home folder, its states would stay for ever.
  const states = mkdtempSync(join(tmpdir(), 'heirloom-anvil-'))
  options.push(`--cache-path=${states}`)
  const anvil = spawn(binary(), options, { stdio: ['ignore', 'pipe', 'inherit'] })
  const line = await firstLine(anvil.stdout, /Listening on/)
  const url = new URL(line.replace('Listening on ', 'http://'))
  const stop = async () => {
    await end(anvil, 'SIGTERM')
    rmSync(states, { recursive: true, force: true })
  }
  return { url, stop }
}

/** Returns the path of the program; the package's launcher would not forward our signals. */
function binary(): string {
  const launcher = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
  const processor = process.arch === 'x64' ? 'amd64' : process.arch
  const platform = `@foundry-rs/anvil-${process.platform}-${processor}/package.json`
  return join(dirname(createRequire(launcher).resolve(platform)), 'bin/anvil')
}

/** Returns a client that can also set balances, advance the time and reorganise the chain. */
export function testClient({ url }: Pick<Anvil, 'url'>) {
  const client = createTestClient({ mode: 'anvil', transport: http(url.href) })
  return client.extend(() => ({
    /** Removes the last blocks; their transactions wait to be mined again. */
    reorganise: async (depth: number): Promise<void> => {
      await client.request({ method: 'anvil_reorg', params: [depth, []] } as never)
    },
  }))
}

/** An anvil with our contracts, and the state to which it returns. */
type Prepared = {
  readonly anvil: Anvil
  readonly contracts: DeployedPair
  /** The snapshot of the first state; each return to it takes another. */
  snapshot: Hex
}

/**
 * Returns a function that opens harnesses, one after another, on one anvil: each finds the contracts
 * deployed, and nothing else. The anvil stops after the tests of the file.
 */
export function anvilHarnesses(): () => Promise<OpenHarness> {
  let prepared: Promise<Prepared> | undefined
  let isOpen = false
  afterAll(async () => (await prepared)?.anvil.stop())
  return async () => {
    if (isOpen) throw new Error('A harness on this anvil is open; close it first.')
    isOpen = true
    prepared ??= prepare()
    const node = await prepared
    const harness = await harnessOn(node)
    const close = async () => {
      await rewind(node)
      isOpen = false
    }
    return { ...harness, close }
  }
}

async function prepare(): Promise<Prepared> {
  const anvil = await startAnvil()
  const client = testClient(anvil)
  for (const { address } of wallets) await client.setBalance({ address, value: 10n ** 22n })
  const wallet: LocalAccount = wallets[0]
  const dollar = await deployDollar(connect(anvil.url), wallet)
  const contracts = await deployContracts({ chain: anvil.url, wallet, dollar })
  await endowWallets(anvil.url, contracts)
  return { anvil, contracts, snapshot: await client.snapshot() }
}

/** Returns a chain to its first state, and its clock to the time. */
async function rewind(node: Prepared): Promise<void> {
  const client = testClient(node.anvil)
  await client.revert({ id: node.snapshot })
  node.snapshot = await client.snapshot()
  // A return leaves the clock of the chain at the time of the snapshot.
  await client.request({ method: 'evm_setTime', params: [Date.now()] } as never)
}

/** Returns a harness with blobs and keys in memory. */
async function harnessOn({ anvil, contracts }: Prepared) {
  const client = testClient(anvil)
  let ahead = 0
  const now = () => instant(Date.now() + ahead)
  return evmHarness({
    chain: anvil.url,
    contracts,
    clock: { now },
    now,
    wait: async (milliseconds) => {
      ahead += milliseconds
      await client.increaseTime({ seconds: Math.floor(milliseconds / 1000) })
      await client.mine({ blocks: 1 })
    },
    ports: { blobStore: memoryBlobStore(), cipher: memoryCipher() },
  })
}
