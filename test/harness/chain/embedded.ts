import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { heliaBlobStore } from '@heirloom/adapters/blob-store'
import { embeddedChain } from '@heirloom/adapters/chain'
import { naclCipher, sealingKeyRing } from '@heirloom/adapters/cipher'
import { embeddedContracts } from '@heirloom/adapters/contracts'
import { stoppedClock, wallets } from '@heirloom/testkit'
import type { LocalAccount } from 'viem'
import { evmHarness, type OpenHarness } from './evm.ts'

/** Opens a harness on the embedded chain, Helia and NaCl, in a folder of its own. */
export async function openEmbeddedHarness(): Promise<OpenHarness> {
  const folder = mkdtempSync(join(tmpdir(), 'harness-'))
  const clock = stoppedClock()
  const funded = wallets.map(({ address }) => address)
  const chain = await embeddedChain({ folder, now: clock.now, funded })
  const blobStore = await heliaBlobStore({ folder: join(folder, 'blocks') })
  const keys = sealingKeyRing([new Uint8Array(32).fill(7)])
  const cipher = naclCipher({ keys, documentLimit: 2 ** 26 })
  const contracts = await embeddedContracts({ chain, wallet: wallets[0] as LocalAccount })
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
