import type { MasterKey, MasterKeys } from './local-master-key.ts'
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
