import { Failure } from '@heirloom/core'
import { type TenantRecord, type TenantState, tenantName } from './tenant-record.ts'

/** All tenants of a server, or of the servers that share a database, as one commit wrote them. */
export type TenantDocument = {
  /** Grows by 1 with each commit; every record carries it. */
  readonly epoch: number
  readonly records: readonly TenantRecord[]
}

const format = 'heirloom-tenants/1'

/** Encodes a document as text, which holds no key in clear. */
export const encodeTenantDocument = ({ epoch, records }: TenantDocument): string =>
  `${JSON.stringify({ format, epoch, records }, undefined, 2)}\n`

/**
 * Parses a document; `place` names its source.
 *
 * @throws `keys/unusable`
 */
export function parseTenantDocument(text: string, place: string): TenantDocument {
  const { format: found, epoch, records } = parseJson(text)
  if (found !== format || !isCount(epoch) || !Array.isArray(records) || !records.every(isRecord)) {
    throw damaged(place)
  }
  for (const member of ['name', 'address'] as const) {
    const values = new Set(records.map((it: TenantRecord) => it[member].toLowerCase()))
    if (values.size !== records.length) throw damaged(place)
  }
  return { epoch, records }
}

const damaged = (place: string) =>
  new Failure('keys/unusable', {
    problem: `${place} is not a file of tenants, or is damaged; restore it from a backup`,
  })

function parseJson(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text))
  } catch {
    // The parser's error is dropped: it quotes the text.
    return {}
  }
}

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

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0
