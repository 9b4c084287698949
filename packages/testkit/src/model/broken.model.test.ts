import type { Cipher } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { brokenLedgers } from '../broken/ledgers.ts'
import { memoryBlobStore } from '../fakes/blob-store.ts'
import { memoryCipher } from '../fakes/cipher.ts'
import { memoryWorld, withServices } from '../fakes/harness.ts'
import { runModel } from './run-model.ts'

/**
 * Faults that nobody meets through a service: it asks first, accepts no more, and acts alone and
 * without keys. Its players are accounts, for whom no contract is asked.
 */
const outOfReach = [
  'mints a root when the parent is unknown',
  'takes the parent 0 for none',
  'lists the nearest share',
  'rounds the days up',
  'shows a listing of every number',
  'lets anyone list',
  'keeps the low 80 bits of a price',
  'sells for a day of rent what is only for rent',
  'sells to whoever offers more',
  'rents for nothing',
  'forks for nothing',
  'makes up a fork of a chain that is too deep',
  'cannot tell why it failed',
  'tells both that they won',
  'tells but the first card of mints that come at once',
  'recognises both forms of a signature',
  'makes up a receipt for what it made before',
  'looks for a key only after the write before it is made',
  'does not look what a key comes with',
  'fails for ever under the key of a failure',
  'lets one owner speak for all',
]

const settings = { seed: 3, numRuns: 100, maxCommands: 60, endOnFailure: true }

describe('the model notices a ledger', () => {
  const reachable = brokenLedgers.filter(({ fault }) => !outOfReach.includes(fault))

  for (const { fault, open } of reachable) {
    test(`that ${fault}`, async () => {
      const openWorld = async () => withServices(await open())
      await expect(runModel(openWorld, settings)).rejects.toThrow('Property failed')
    })
  }
})

test('the model notices a cipher that opens in every context', async () => {
  const cipher = memoryCipher()
  const careless: Cipher = {
    ...cipher,
    open: async (sealed) => cipher.open(sealed, cipher.inspect(sealed).context),
  }
  const openWorld = async () => withServices(memoryWorld(), memoryBlobStore(), careless)
  await expect(runModel(openWorld, settings)).rejects.toThrow('Property failed')
})
