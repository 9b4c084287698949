import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { heliaBlobStore } from '@heirloom/adapters/blob-store'
import { embeddedChain } from '@heirloom/adapters/chain'
import { naclCipher, sealingKeyRing } from '@heirloom/adapters/cipher'
import { embeddedContracts } from '@heirloom/adapters/contracts'
import { stoppedClock, wallets } from '@heirloom/testkit'
import type { LocalAccount } from 'viem'
import { endowWallets, evmHarness, type OpenHarness } from './evm.ts'

const funded = wallets.map(({ address }) => address)
const wallet = wallets[0] as LocalAccount

let prepared: Promise<string> | undefined

/** Makes, once in this process, the folder of a chain with our contracts and the first dollars. */
async function prepare(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'harness-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const chain = await embeddedChain({ folder, now: stoppedClock().now, funded })
  await endowWallets(chain, await embeddedContracts({ chain, wallet }))
  await chain.close()
  return folder
}

/** Opens a harness on the embedded chain, Helia and NaCl, in a folder of its own. */
export async function openEmbeddedHarness(): Promise<OpenHarness> {
  prepared ??= prepare()
  const folder = mkdtempSync(join(tmpdir(), 'harness-'))
  cpSync(await prepared, folder, { recursive: true })
  const clock = stoppedClock()
  const chain = await embeddedChain({ folder, now: clock.now, funded })
  const blobStore = await heliaBlobStore({ folder: join(folder, 'blocks') })
  const keys = sealingKeyRing([new Uint8Array(32).fill(7)])
  const cipher = naclCipher({ keys, documentLimit: 2 ** 26 })
  const contracts = await embeddedContracts({ chain, wallet })
  const harness = await evmHarness({
    chain,
    contracts,
    clock,
    now: clock.now,
    wait: async (milliseconds) => clock.advance(milliseconds),
    ports: { blobStore, cipher },
  })
  const close = async () => {
    await chain.close()
    await blobStore.close()
    rmSync(folder, { recursive: true })
  }
  return { ...harness, close }
}
