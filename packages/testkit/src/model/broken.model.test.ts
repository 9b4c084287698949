import type { Cipher } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { brokenLedgers } from '../../test/broken/ledgers.ts'
import { memoryBlobStore } from '../fakes/blob-store.ts'
import { memoryCipher } from '../fakes/cipher.ts'
import { memoryHarness, withServices } from '../fakes/harness.ts'
import { runModel } from './run-model.ts'

/**
 * Faults that the model cannot reach through a service: the service checks first, passes only
 * accepted prices, and the model makes one call at a time, without idempotency keys, contract wallets
 * and grants.
 */
const outOfReach = [
  'mints a root when the parent is unknown',
  'treats the parent 0 as none',
  'lists the nearest valid share',
  'rounds the days up',
  'returns a listing for every token id',
  'lets anyone list a token',
  'truncates a price to 80 bits',
  'sells a token that is only for rent at the price of a day',
  'sells to a buyer who offers more',
  'rents a token that is not for rent at no price',
  'forks a token that is not for fork at no price',
  'returns a false receipt for a fork that is too deep',
  'fails with the wrong code',
  'reports success to both buyers',
  'emits only the first card of concurrent mints',
  'accepts both s values of a signature',
  'returns a false receipt for a repeated write',
  'ignores the key of a write in progress',
  'ignores the fingerprint of a request',
  'repeats a failure for ever for its key',
  'accepts one owner for all',
  'accepts both s values of the signature of a creator',
  'takes the contract of a stranger for a creator',
  'ignores the prices in wei beside those in dollars',
  'takes wei for dollars',
  'counts no transfer',
]

const settings = { seed: 3, numRuns: 200, maxCommands: 60, endOnFailure: true }

describe('the model notices a ledger', () => {
  const reachable = brokenLedgers.filter(({ fault }) => !outOfReach.includes(fault))

  for (const { fault, open } of reachable) {
    test(`that ${fault}`, async () => {
      const openHarness = async () => withServices(await open())
      await expect(runModel(openHarness, settings)).rejects.toThrow('Property failed')
    })
  }
})

test('the model notices a cipher that opens in every context', async () => {
  const cipher = memoryCipher()
  const careless: Cipher = {
    ...cipher,
    sealedLength: async (head) => cipher.sealedLength(head, cipher.inspect(head).context),
    open: async (sealed, _, blobs) => cipher.open(sealed, cipher.inspect(sealed).context, blobs),
  }
  const openHarness = async () => withServices(memoryHarness(), memoryBlobStore(), careless)
  await expect(runModel(openHarness, settings)).rejects.toThrow('Property failed')
})
