import { memoryHarness, runModel } from '@heirloom/testkit'
import { describe, expect, it } from 'vitest'
import { openEmbeddedHarness } from '../harness/chain/embedded.ts'
import type { OpenHarness } from '../harness/chain/evm.ts'
import { openHttpHarness } from '../harness/chain/http.ts'
import { openOwnWalletHarness } from '../harness/chain/own-wallets.ts'
import { times } from '../tier.ts'

/**
 * The same stories for every subject: the seed determines them and the ending of each command. Its first
 * three have each act of `acts`.
 */
const stories = {
  seed: 145,
  numRuns: Number(process.env.MODEL_STORIES ?? times(3, 12)),
  maxCommands: 40,
}

/** The acts that succeed in the stories at least once. */
const acts = 'snapshot list buy rent fork royalty save erase'.split(' ')

const close = (world: unknown) => (world as OpenHarness).close()

describe('one model, four subjects', () => {
  it('has the same stories on fakes, on the embedded chain with Helia and NaCl, and over HTTP', async () => {
    const onFakes = await runModel(async () => memoryHarness(), stories)
    const done = new Set(onFakes.keys())
    expect(acts.filter((act) => !done.has(`${act}: success`))).toEqual([])
    const onRealParts = await runModel(openEmbeddedHarness, { ...stories, close })
    const overHttp = await runModel(openHttpHarness, { ...stories, close })
    expect(onRealParts).toEqual(onFakes)
    expect(overHttp).toEqual(onFakes)
  })

  it('has the same stories when each party acts with a wallet of its own at the server of another', async () => {
    const onFakes = await runModel(async () => memoryHarness(), stories)
    const withOwnWallets = await runModel(openOwnWalletHarness, { ...stories, close })
    expect(withOwnWallets).toEqual(onFakes)
  })
})
