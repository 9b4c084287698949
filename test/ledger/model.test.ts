import { memoryHarness, runModel } from '@heirloom/testkit'
import { describe, expect, it } from 'vitest'
import { embeddedWorld } from '../harness/chain/embedded.ts'
import type { OpenWorld } from '../harness/chain/evm.ts'
import { httpWorld } from '../harness/chain/http.ts'

/** The same stories for every subject: the seed fixes them, and how each of their commands ends. */
const stories = { seed: 11, numRuns: Number(process.env.MODEL_STORIES ?? 12), maxCommands: 40 }

/** Longer than that a story takes on no machine, in milliseconds. */
const longestStory = 30_000

const close = (world: unknown) => (world as OpenWorld).close()

describe('one model, three subjects', () => {
  it('has the same stories on fakes, on the embedded chain with Helia and NaCl, and over HTTP', {
    timeout: stories.numRuns * longestStory,
  }, async () => {
    const onFakes = await runModel(async () => memoryHarness(), stories)
    const onRealParts = await runModel(embeddedWorld, { ...stories, close })
    const overHttp = await runModel(httpWorld, { ...stories, close })
    expect(onRealParts).toEqual(onFakes)
    expect(overHttp).toEqual(onFakes)
  })
})
