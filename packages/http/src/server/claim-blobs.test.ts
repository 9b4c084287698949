import { digest, hash, type OpenBlobStore } from '@heirloom/core'
import { memoryHarness } from '@heirloom/testkit'
import { expect, test } from 'vitest'
import { claimBlobs } from './claim-blobs.ts'

const bundle = digest(`0x${'11'.repeat(32)}`)
const contentHash = hash(`0x${'44'.repeat(32)}`)

type Claim = OpenBlobStore['claim']
const failure = new Error('the store is away')

test.each<[string, Claim, unknown]>([
  ['rejects', () => Promise.reject(failure), failure],
  [
    'throws',
    () => {
      throw failure
    },
    failure,
  ],
  ['is not async', (() => undefined) as unknown as Claim, undefined],
  ['never settles', () => new Promise(() => undefined), new Error('The claim takes too long.')],
])('a mint succeeds when its claim %s', async (_, claim, trouble) => {
  const [party] = memoryHarness().parties
  if (party === undefined) throw new RangeError('no party')
  const troubles: unknown[] = []
  const options = { onTrouble: (error: unknown) => void troubles.push(error), limit: 1 }
  const ledger = claimBlobs(party.ledger, { claim }, options)
  const token = { contentHash, digest: bundle, parent: undefined, recipient: ledger.agent }
  expect(await ledger.mint({ ...token, idempotency: undefined })).toMatchObject({ digest: bundle })
  expect(troubles).toEqual(trouble === undefined ? [] : [trouble])
})
