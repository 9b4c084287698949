import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { StoredDocument } from '../stored-document.ts'

/** A law of a stored document; it gets an empty one. */
export type DocumentLaw<Document> = {
  readonly name: string
  readonly holds: (store: StoredDocument<Document>) => Promise<void>
}

/** Returns the laws of `StoredDocument`, for arbitrary documents of an epoch. */
export function documentLaws<Document>(
  documentOf: (epoch: number) => fc.Arbitrary<Document>,
): readonly DocumentLaw<Document>[] {
  const sample = (epoch: number) => fc.sample(documentOf(epoch), 1)[0] as Document
  return [
    {
      name: 'is empty at first',
      holds: async (store) => assert.equal(await store.read(), undefined),
    },
    {
      name: 'reads back what was committed',
      holds: async (store) => {
        for (let epoch = 1; epoch <= 20; epoch++) {
          const next = sample(epoch)
          assert.equal(await store.commit(next), true)
          assert.deepEqual(await store.read(), next)
        }
      },
    },
    {
      name: 'refuses a commit that does not follow the stored epoch',
      holds: async (store) => {
        assert.equal(await store.commit(sample(2)), false)
        assert.equal(await store.read(), undefined)
        const first = sample(1)
        await store.commit(first)
        for (const epoch of [1, 3, 7]) assert.equal(await store.commit(sample(epoch)), false)
        assert.deepEqual(await store.read(), first)
      },
    },
    {
      name: 'accepts exactly one of several concurrent commits',
      holds: async (store) => {
        for (const epoch of [1, 2, 3]) {
          const rivals = fc.sample(documentOf(epoch), 5)
          const accepted = await Promise.all(rivals.map((it) => store.commit(it)))
          assert.equal(accepted.filter(Boolean).length, 1)
          assert.deepEqual(await store.read(), rivals[accepted.indexOf(true)])
        }
      },
    },
  ]
}
