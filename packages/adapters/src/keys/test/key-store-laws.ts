import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { KeyStore } from '../file-key-store.ts'
import type { KeyDocument, KeyRecord } from '../key-record.ts'
import { documentLaws } from './document-laws.ts'

/** An empty store, and a function that changes it as the restore of a backup would. */
export type Subject = {
  readonly store: KeyStore
  /** Restores an earlier document, and nothing else. */
  readonly restore: (document: KeyDocument) => Promise<void>
}

type Law = { readonly name: string; readonly holds: (subject: Subject) => Promise<void> }

const id = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => Buffer.from(bytes).toString('hex'))

/** Returns arbitrary documents of an epoch. */
const documentOf = (epoch: number) => {
  const record: fc.Arbitrary<KeyRecord> = fc.record(
    {
      id,
      tenant: fc.string(),
      state: fc.constantFrom('sealing', 'opening', 'destroyed'),
      epoch: fc.constant(epoch),
      createdAt: fc.nat(),
      master: fc.string(),
      masters: fc.array(fc.string()),
      wrapped: fc.base64String(),
    },
    { noNullPrototype: true },
  )
  return fc
    .uniqueArray(record, { selector: (it) => it.id })
    .map((records): KeyDocument => ({ epoch, records }))
}

const sample = (epoch: number) => fc.sample(documentOf(epoch), 1)[0] as KeyDocument

/** The laws of `KeyStore`, named as in its comment. */
export const keyStoreLaws: readonly Law[] = [
  ...documentLaws(documentOf).map(({ name, holds }) => ({
    name,
    holds: ({ store }: Subject) => holds(store),
  })),
  {
    name: 'has destroyed no keys at first',
    holds: async ({ store }) => assert.equal((await store.destroyed()).size, 0),
  },
  {
    name: 'keeps the ids of destroyed keys when an older document is restored',
    holds: async ({ store, restore }) => {
      const [first, ids] = [sample(1), fc.sample(id, 5)]
      await store.commit(first)
      await store.noteDestroyed(ids.slice(0, 2))
      await store.noteDestroyed(ids.slice(1))
      await store.commit(sample(2))
      await restore(first)
      assert.deepEqual((await store.read())?.records, first.records)
      assert.deepEqual(await store.destroyed(), new Set(ids))
    },
  },
]
