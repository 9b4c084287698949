import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { deployContracts } from '@heirloom/adapters/contracts'
import { instant } from '@heirloom/core'
import { memoryBlobStore, memoryCipher, wallets } from '@heirloom/testkit'
import { createTestClient, http, type LocalAccount } from 'viem'
import { end, firstLine } from '../process/child-process.ts'
import type { OpenWorld } from './evm.ts'
import { evmWorld } from './evm.ts'

/** A running anvil: an EVM of another make, behind JSON-RPC over HTTP. */
export type Anvil = { readonly url: URL; readonly stop: () => Promise<void> }

/** Starts anvil on a loopback port: a free one, or a given one to come back to with its state. */
export async function startAnvil({
  port = 0,
  state,
  hardfork = 'osaka',
}: {
  readonly port?: number
  /** A file that the chain is read from, and written to when it stops. */
  readonly state?: string
  /** The rules of the chain, by the name of the upgrade that brought them. */
  readonly hardfork?: string
} = {}): Promise<Anvil> {
  const options = ['--host=127.0.0.1', `--port=${port}`, `--hardfork=${hardfork}`]
  if (state !== undefined) options.push(`--state=${state}`)
  const anvil = spawn(binary(), options, { stdio: ['ignore', 'pipe', 'inherit'] })
  const line = await firstLine(anvil.stdout, /Listening on/)
  const url = new URL(line.replace('Listening on ', 'http://'))
  const stop = async () => {
    await end(anvil, 'SIGTERM')
  }
  return { url, stop }
}

/** The program itself: the package's own launcher would stand between it and our signals. */
function binary(): string {
  const launcher = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
  const processor = process.arch === 'x64' ? 'amd64' : process.arch
  const platform = `@foundry-rs/anvil-${process.platform}-${processor}/package.json`
  return join(dirname(createRequire(launcher).resolve(platform)), 'bin/anvil')
}

/** Returns a client that can also give tokens away, move the time on and take blocks back. */
export function testClient({ url }: Pick<Anvil, 'url'>) {
  const client = createTestClient({ mode: 'anvil', transport: http(url.href) })
  return client.extend(() => ({
    /** Takes the last blocks back; what they held waits to be mined again. */
    reorganise: async (depth: number): Promise<void> => {
      await client.request({ method: 'anvil_reorg', params: [depth, []] } as never)
    },
  }))
}

/** Opens the world of a fresh anvil, with blobs and keys in memory. */
export async function anvilWorld(): Promise<OpenWorld> {
  const anvil = await startAnvil()
  const client = testClient(anvil)
  for (const { address } of wallets) await client.setBalance({ address, value: 10n ** 22n })
  let ahead = 0
  const now = () => instant(Date.now() + ahead)
  const contracts = await deployContracts({ chain: anvil.url, wallet: wallets[0] as LocalAccount })
  const world = await evmWorld({
    chain: anvil.url,
    contracts,
    clock: { now },
    now,
    wait: async (milliseconds) => {
      ahead += milliseconds
      await client.increaseTime({ seconds: Math.floor(milliseconds / 1000) })
      await client.mine({ blocks: 1 })
    },
    shared: { blobStore: memoryBlobStore(), cipher: memoryCipher() },
  })
  return { ...world, close: anvil.stop }
}
