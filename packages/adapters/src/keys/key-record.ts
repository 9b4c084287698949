import type { MasterKey, MasterKeys } from './master-key.ts'

/** The length of a sealing key, in bytes. */
export const keyLength = 32

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

/** The reason why a record cannot be opened. */
export type RecordProblem = 'no-master' | 'altered'

/**
 * Wraps a key together with its facts, so that without the master key nobody can exchange a key or a
 * fact between two records.
 */
export async function wrapRecord(
  { facts, key }: OpenedRecord,
  master: MasterKey,
): Promise<KeyRecord> {
  const recorded = { ...facts, master: master.id, masters: wrappingMasters(facts, master) }
  const plain = Buffer.concat([key, encodeFacts(recorded)])
  const wrapped = Buffer.from(await master.wrap(plain)).toString('base64')
  plain.fill(0)
  return { ...recorded, wrapped }
}

// A tombstone holds no key, so the master keys that wrap it later cannot disclose one.
const wrappingMasters = ({ state, masters }: KeyFacts, { id }: MasterKey): readonly string[] =>
  state === 'destroyed' || masters.includes(id) ? masters : [...masters, id]

/** Opens a record with the first master key that fits, and checks its facts against the wrapped ones. */
export async function openRecord(
  { wrapped, ...facts }: KeyRecord,
  masters: MasterKeys,
): Promise<OpenedRecord | RecordProblem> {
  const plain = await unwrapWithAny(Buffer.from(wrapped, 'base64'), masters)
  if (plain === undefined) {
    return masters.some(({ id }) => id === facts.master) ? 'altered' : 'no-master'
  }
  const key = Uint8Array.from(plain.subarray(0, keyLength))
  const isSame = encodeFacts(facts).equals(plain.subarray(keyLength))
  plain.fill(0)
  return isSame ? { facts, key } : 'altered'
}

async function unwrapWithAny(
  wrapped: Uint8Array,
  masters: MasterKeys,
): Promise<Buffer | undefined> {
  for (const master of masters) {
    const plain = await master.unwrap(wrapped)
    if (plain !== undefined) return Buffer.from(plain.buffer, plain.byteOffset, plain.length)
  }
  return undefined
}

/** Encodes the facts as they are wrapped together with the key. */
function encodeFacts(facts: KeyFacts): Buffer {
  const { id, tenant, state, epoch, createdAt, master, masters, destroyedAt, mastersGone } = facts
  const ends = [destroyedAt ?? null, mastersGone ?? false]
  return Buffer.from(
    JSON.stringify([id, tenant, state, epoch, createdAt, master, masters, ...ends]),
  )
}
