import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { deployContracts } from '@heirloom/adapters/contracts'
import { instant } from '@heirloom/core'
import { memoryBlobStore, memoryCipher, wallets } from '@heirloom/testkit'
import { createTestClient, http, type LocalAccount } from 'viem'
import { connect } from '../../../packages/adapters/src/ledger/connection.ts'
import { end, firstLine } from '../process/child-process.ts'
import type { OpenHarness } from './evm.ts'
import { evmHarness } from './evm.ts'
import { deployDollar } from './order-payment.ts'

/** A running anvil: a second EVM implementation, behind JSON-RPC over HTTP. */
export type Anvil = { readonly url: URL; readonly stop: () => Promise<void> }

/** Starts anvil on a loopback port: a free one, or a given one to restart it with its state. */
export async function startAnvil({
  port = 0,
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
  const place = ['--host=127.0.0.1', `--port=${port}`]
  const options = [...place, `--hardfork=${hardfork}`, `--chain-id=${chainId}`]
  if (state !== undefined) options.push(`--state=${state}`)
  const anvil = spawn(binary(), options, { stdio: ['ignore', 'pipe', 'inherit'] })
  const line = await firstLine(anvil.stdout, /Listening on/)
  const url = new URL(line.replace('Listening on ', 'http://'))
  const stop = async () => {
    await end(anvil, 'SIGTERM')
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

/** Opens a harness on a new anvil, with blobs and keys in memory. */
export async function openAnvilHarness(): Promise<OpenHarness> {
  const anvil = await startAnvil()
  const client = testClient(anvil)
  for (const { address } of wallets) await client.setBalance({ address, value: 10n ** 22n })
  let ahead = 0
  const now = () => instant(Date.now() + ahead)
  const wallet: LocalAccount = wallets[0]
  const dollar = await deployDollar(connect(anvil.url), wallet)
  const contracts = await deployContracts({ chain: anvil.url, wallet, dollar })
  const harness = await evmHarness({
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
  return { ...harness, close: anvil.stop }
}
