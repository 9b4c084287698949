import type { MasterKey, MasterKeys } from './master-key.ts'

/** The length of a sealing key, in bytes. */
export const keyLength = 32

/**
 * What a sealing key may be used for: `sealing` seals and opens, `opening` only opens; of a
 * `destroyed` one the record is a tombstone without a key.
 */
export type KeyState = 'sealing' | 'opening' | 'destroyed'

/** A sealing key without its key: everything that a key store shows of it. */
export type KeyFacts = {
  /** 16 bytes in hexadecimal. */
  readonly id: string
  /** Whose memories it seals. */
  readonly tenant: string
  readonly state: KeyState
  /** The epoch of the key document that this record is a part of. */
  readonly epoch: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** The id of the master key that wraps this record. */
  readonly master: string
  /** The ids of all master keys that ever wrapped this key; a copy of each may lie in a backup. */
  readonly masters: readonly string[]
  /** When it was destroyed, in milliseconds since 1970. */
  readonly destroyedAt?: number
  /** Whether an operator confirmed that those master keys are gone, with all their backups. */
  readonly mastersGone?: true
}

/** A record as a key store holds it. */
export type KeyRecord = KeyFacts & {
  /** The key ‖ the facts, wrapped under a master key; in base64. */
  readonly wrapped: string
}

/** A record that a master key opened. */
export type OpenedRecord = {
  readonly facts: KeyFacts
  /** All zero in a tombstone. */
  readonly key: Uint8Array
}

/** Why a record cannot be opened. */
export type RecordProblem = 'no-master' | 'altered'

/**
 * Wraps a key together with its facts, so that neither a key nor a fact can be exchanged between
 * two records without the master key.
 */
export async function wrapRecord(
  { facts, key }: OpenedRecord,
  master: MasterKey,
): Promise<KeyRecord> {
  const written = { ...facts, master: master.id, masters: mastersOf(facts, master) }
  const inside = Buffer.concat([key, textOf(written)])
  const wrapped = Buffer.from(await master.wrap(inside)).toString('base64')
  inside.fill(0)
  return { ...written, wrapped }
}

// A tombstone holds no key, so the master keys that wrap it later can give none away.
const mastersOf = ({ state, masters }: KeyFacts, { id }: MasterKey): readonly string[] =>
  state === 'destroyed' || masters.includes(id) ? masters : [...masters, id]

/** Opens a record under the first master key that does, and compares what it shows with its inside. */
export async function openRecord(
  { wrapped, ...facts }: KeyRecord,
  masters: MasterKeys,
): Promise<OpenedRecord | RecordProblem> {
  const inside = await unwrapped(Buffer.from(wrapped, 'base64'), masters)
  if (inside === undefined) {
    return masters.some(({ id }) => id === facts.master) ? 'altered' : 'no-master'
  }
  const key = Uint8Array.from(inside.subarray(0, keyLength))
  const isSame = textOf(facts).equals(inside.subarray(keyLength))
  inside.fill(0)
  return isSame ? { facts, key } : 'altered'
}

async function unwrapped(wrapped: Uint8Array, masters: MasterKeys): Promise<Buffer | undefined> {
  for (const master of masters) {
    const inside = await master.unwrap(wrapped)
    if (inside !== undefined) return Buffer.from(inside.buffer, inside.byteOffset, inside.length)
  }
  return undefined
}

/** Returns the facts as the one text that is wrapped with the key. */
function textOf(facts: KeyFacts): Buffer {
  const { id, tenant, state, epoch, createdAt, master, masters, destroyedAt, mastersGone } = facts
  const ends = [destroyedAt ?? null, mastersGone ?? false]
  return Buffer.from(
    JSON.stringify([id, tenant, state, epoch, createdAt, master, masters, ...ends]),
  )
}
