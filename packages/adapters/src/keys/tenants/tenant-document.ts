import { Failure } from '@heirloom/core'
import { encodeRecords, isCount, parseRecords, type RecordDocument } from '../record-document.ts'
import { type TenantRecord, type TenantState, tenantName } from './tenant-record.ts'

/** All tenants of a server, or of the servers that share a database, as one commit wrote them. */
export type TenantDocument = RecordDocument<TenantRecord>

const format = 'heirloom-tenants/1'

/** Encodes a document as text, which holds no key in clear. */
export const encodeTenantDocument = (document: TenantDocument): string =>
  encodeRecords(format, document)

/**
 * Parses a document; `place` names its source.
 *
 * @throws `keys/unusable`
 */
export function parseTenantDocument(text: string, place: string): TenantDocument {
  const document = parseRecords(text, format, isRecord)
  if (document === undefined) throw damaged(place)
  const { records } = document
  for (const member of ['name', 'address'] as const) {
    const values = new Set(records.map((it) => it[member].toLowerCase()))
    if (values.size !== records.length) throw damaged(place)
  }
  return document
}

const damaged = (place: string) =>
  new Failure('keys/unusable', {
    problem: `${place} is not a file of tenants, or is damaged; restore it from a backup`,
  })

const states: readonly TenantState[] = ['active', 'closing', 'removed']

function isRecord(value: unknown): value is TenantRecord {
  const { name, address, state, wrapped, ...rest } = Object(value) as Partial<TenantRecord>
  return (
    tenantName.test(`${name}`) &&
    /^0x[0-9a-fA-F]{40}$/.test(`${address}`) &&
    states.some((known) => known === state) &&
    typeof wrapped === 'string' &&
    hasHistory(rest)
  )
}

function hasHistory({ epoch, createdAt, master, perCall, perDay }: Partial<TenantRecord>): boolean {
  return (
    isCount(epoch) &&
    isCount(createdAt) &&
    typeof master === 'string' &&
    [perCall, perDay].every((limit) => limit === undefined || isAmount(limit))
  )
}

const isAmount = (limit: unknown): boolean =>
  typeof limit === 'string' && /^(0|[1-9][0-9]{0,77})$/.test(limit)
