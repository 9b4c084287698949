import fc from 'fast-check'
import type { TenantDocument, TenantRecord } from '../tenants/tenant-record.ts'
import { documentLaws } from './document-laws.ts'

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

/** The laws of `TenantStore`, named as in its comment; each gets an empty store. */
export const tenantStoreLaws = documentLaws(documentOf)
