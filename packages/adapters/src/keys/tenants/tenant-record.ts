import { Failure, type Hex } from '@heirloom/core'
import type { MasterKey, MasterKeys } from '../local-master-key.ts'
import { encodeRecords, isCount, parseRecords, type RecordDocument } from '../record-document.ts'
import { openWrapped, type RecordProblem, wrapWith } from '../wrapped-record.ts'

/**
 * The state of a tenant: an `active` one acts; a `closing` one begins nothing new, because its sealing
 * keys are being destroyed; a `removed` one has none any more. Its wallet stays.
 */
export type TenantState = 'active' | 'closing' | 'removed'

/** The public facts of a tenant, without the key of its wallet. */
export type TenantFacts = {
  readonly name: string
  /** The address of its wallet. */
  readonly address: Hex
  readonly state: TenantState
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** The most that one write may cost, and all writes of a day (UTC), in wei. */
  readonly perCall?: string | undefined
  readonly perDay?: string | undefined
  /** The epoch of the document that contains this record. */
  readonly epoch: number
  /** The id of the master key that wraps this record. */
  readonly master: string
}

/** A record as a tenant store contains it. */
export type TenantRecord = TenantFacts & {
  /** The key of the wallet ‖ the facts, wrapped under a master key; in base64. */
  readonly wrapped: string
}

/** A record opened with a master key. */
export type OpenedTenant = { readonly facts: TenantFacts; readonly walletKey: Uint8Array }

/** The pattern of names of tenants; `default` is the server's own. */
export const tenantName = /^(?!default$)[a-z0-9][a-z0-9-]{0,39}$/

/** Wraps the key of a wallet together with the facts of its tenant. */
export async function wrapTenant(
  { facts, walletKey: key }: OpenedTenant,
  master: MasterKey,
): Promise<TenantRecord> {
  const recorded = { ...facts, master: master.id }
  return { ...recorded, wrapped: await wrapWith(master, { key, facts: encodeFacts(recorded) }) }
}

/** Opens a record, and checks its facts against the wrapped ones. */
export async function openTenant(
  { wrapped, ...facts }: TenantRecord,
  masters: MasterKeys,
): Promise<OpenedTenant | RecordProblem> {
  const record = { wrapped, facts: encodeFacts(facts), master: facts.master }
  const walletKey = await openWrapped(record, masters)
  return typeof walletKey === 'string' ? walletKey : { facts, walletKey }
}

// The first word keeps the record of a tenant apart from that of a sealing key.
function encodeFacts(facts: TenantFacts): Buffer {
  const { name, address, state, createdAt, perCall = null, perDay = null, epoch, master } = facts
  return Buffer.from(
    JSON.stringify(['tenant', name, address, state, createdAt, perCall, perDay, epoch, master]),
  )
}

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
