import { Failure } from '@heirloom/core'
import type { MasterKey, MasterKeys } from './local-master-key.ts'
import { encodeRecords, isCount, parseRecords, type RecordDocument } from './record-document.ts'
import { openWrapped, type RecordProblem, wrapWith } from './wrapped-record.ts'

/**
 * The permitted use of a sealing key: `sealing` seals and opens, `opening` only opens; the record of
 * a `destroyed` key is a tombstone without a key.
 */
export type KeyState = 'sealing' | 'opening' | 'destroyed'

/** The public facts of a sealing key, without the key itself. */
export type KeyFacts = {
  /** 16 bytes in hexadecimal. */
  readonly id: string
  /** The tenant whose bundles it seals. */
  readonly tenant: string
  readonly state: KeyState
  /** The epoch of the key document that contains this record. */
  readonly epoch: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** The id of the master key that wraps this record. */
  readonly master: string
  /** The ids of all master keys that ever wrapped this key; backups may hold such wrapped copies. */
  readonly masters: readonly string[]
  /** When it was destroyed, in milliseconds since 1970. */
  readonly destroyedAt?: number
  /** Set when an operator confirmed that those master keys and all their backups are destroyed. */
  readonly mastersGone?: true
}

/** A record as a key store contains it. */
export type KeyRecord = KeyFacts & {
  /** The key ‖ the facts, wrapped under a master key; in base64. */
  readonly wrapped: string
}

/** A record opened with a master key. */
export type OpenedRecord = {
  readonly facts: KeyFacts
  /** All zero in a tombstone. */
  readonly key: Uint8Array
}

/**
 * Wraps a key together with its facts, so that without the master key nobody can exchange a key or a
 * fact between two records.
 */
export async function wrapRecord(
  { facts, key }: OpenedRecord,
  master: MasterKey,
): Promise<KeyRecord> {
  const recorded = { ...facts, master: master.id, masters: wrappingMasters(facts, master) }
  return { ...recorded, wrapped: await wrapWith(master, { key, facts: encodeFacts(recorded) }) }
}

// A tombstone holds no key, so the master keys that wrap it later cannot disclose one.
const wrappingMasters = ({ state, masters }: KeyFacts, { id }: MasterKey): readonly string[] =>
  state === 'destroyed' || masters.includes(id) ? masters : [...masters, id]

/** Opens a record with the first master key that fits, and checks its facts against the wrapped ones. */
export async function openRecord(
  { wrapped, ...facts }: KeyRecord,
  masters: MasterKeys,
): Promise<OpenedRecord | RecordProblem> {
  const key = await openWrapped(
    { wrapped, facts: encodeFacts(facts), master: facts.master },
    masters,
  )
  return typeof key === 'string' ? key : { facts, key }
}

/** Encodes the facts as they are wrapped together with the key. */
function encodeFacts(facts: KeyFacts): Buffer {
  const { id, tenant, state, epoch, createdAt, master, masters, destroyedAt, mastersGone } = facts
  const ends = [destroyedAt ?? null, mastersGone ?? false]
  return Buffer.from(
    JSON.stringify([id, tenant, state, epoch, createdAt, master, masters, ...ends]),
  )
}

/** All sealing keys of a server, or of the servers that share a database, as one commit wrote them. */
export type KeyDocument = RecordDocument<KeyRecord>

const format = 'heirloom-sealing-keys/1'

/** Encodes a document as text, which holds no key in clear. */
export const encodeKeyDocument = (document: KeyDocument): string => encodeRecords(format, document)

/**
 * Parses a document; `place` names its source.
 *
 * @throws `keys/unusable`
 */
function parseKeyDocument(text: string, place: string): KeyDocument {
  const document = parseRecords(text, format, isRecord)
  if (document === undefined) throw damaged(place)
  const { records } = document
  if (new Set(records.map(({ id }) => id)).size !== records.length) throw damaged(place)
  return document
}

/** The text of a key document. */
export const keyFormat = { encode: encodeKeyDocument, parse: parseKeyDocument }

const damaged = (place: string) =>
  new Failure('keys/unusable', {
    problem: `${place} is not a file of sealing keys, or is damaged; restore it from a backup`,
  })

const states: readonly KeyState[] = ['sealing', 'opening', 'destroyed']

function isRecord(value: unknown): value is KeyRecord {
  const { id, tenant, state, wrapped, ...rest } = Object(value) as Partial<KeyRecord>
  return (
    /^[0-9a-f]{32}$/.test(`${id}`) &&
    typeof tenant === 'string' &&
    states.some((known) => known === state) &&
    typeof wrapped === 'string' &&
    hasHistory(rest)
  )
}

function hasHistory({
  epoch,
  createdAt,
  master,
  masters,
  destroyedAt,
  mastersGone,
}: Partial<KeyRecord>): boolean {
  return (
    isCount(epoch) &&
    isCount(createdAt) &&
    typeof master === 'string' &&
    Array.isArray(masters) &&
    masters.every((id) => typeof id === 'string') &&
    (destroyedAt === undefined || isCount(destroyedAt)) &&
    (mastersGone === undefined || mastersGone === true)
  )
}
