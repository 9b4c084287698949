import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type Digest, digest, type Erasures, instant } from '@heirloom/core'

/** An empty list of erasures, and a function that opens it again as another process would. */
export type Subject = { readonly erasures: Erasures; readonly reopen: () => Promise<Erasures> }

type Law = { readonly name: string; readonly holds: (subject: Subject) => Promise<void> }

/** Returns the nth of some digests. */
export const nthDigest = (nth: number): Digest =>
  digest(`0x${createHash('sha256').update(`${nth}`).digest('hex')}`)

/** The laws of `Erasures`, named as in its comment. */
export const erasureLaws: readonly Law[] = [
  {
    name: 'finds nothing at first',
    holds: async ({ erasures }) => assert.equal(erasures.find(nthDigest(1)), undefined),
  },
  {
    name: 'finds what was added, and nothing else',
    holds: async ({ erasures }) => {
      await erasures.add([nthDigest(1), nthDigest(2)], instant(5))
      assert.deepEqual([1, 2, 3].map(nthDigest).map(erasures.find), [5, 5, undefined])
    },
  },
  {
    name: 'returns the first time of a blob that is added again',
    holds: async ({ erasures, reopen }) => {
      await erasures.add([nthDigest(1)], instant(5))
      await erasures.add([nthDigest(1), nthDigest(2)], instant(7))
      for (const it of [erasures, await reopen()])
        assert.deepEqual([1, 2].map(nthDigest).map(it.find), [5, 7])
    },
  },
  {
    name: 'remembers after a reopening what was added',
    holds: async ({ erasures, reopen }) => {
      await erasures.add([nthDigest(1)], instant(5))
      assert.deepEqual((await reopen()).find(nthDigest(1)), 5)
    },
  },
  {
    name: 'adds all of several blobs that are added at the same time',
    holds: async ({ erasures, reopen }) => {
      const all = Array.from({ length: 20 }, (_, nth) => nthDigest(nth))
      await Promise.all(all.map((it) => erasures.add([it], instant(5))))
      const { find } = await reopen()
      assert.deepEqual(
        all.filter((it) => find(it) !== 5),
        [],
      )
    },
  },
]
