import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { TenantDocument } from '../tenants/tenant-document.ts'
import type { TenantRecord } from '../tenants/tenant-record.ts'
import type { TenantStore } from '../tenants/tenant-store.ts'

type Law = { readonly name: string; readonly holds: (store: TenantStore) => Promise<void> }

const amount = fc.option(fc.nat().map(String), { nil: undefined })

/** Returns arbitrary documents of an epoch. */
const documentOf = (epoch: number) => {
  const record: fc.Arbitrary<TenantRecord> = fc
    .record(
      {
        name: fc.stringMatching(/^[a-c][a-z0-9-]{0,39}$/),
        address: fc.stringMatching(/^0x[0-9a-f]{40}$/) as fc.Arbitrary<`0x${string}`>,
        state: fc.constantFrom('active', 'closing', 'removed'),
        epoch: fc.constant(epoch),
        createdAt: fc.nat(),
        perCall: amount,
        perDay: amount,
        master: fc.string(),
        wrapped: fc.base64String(),
      },
      { noNullPrototype: true },
    )
    .map((it) => JSON.parse(JSON.stringify(it)))
  return fc
    .uniqueArray(record, { selector: (it) => it.name })
    .map((records): TenantDocument => ({ epoch, records }))
}

const sample = (epoch: number) => fc.sample(documentOf(epoch), 1)[0] as TenantDocument

/** The laws of `TenantStore`, named as in its comment; each gets an empty store. */
export const tenantStoreLaws: readonly Law[] = [
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
