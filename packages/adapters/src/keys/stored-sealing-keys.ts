import { type Clock, Failure, isFailure } from '@heirloom/core'
import {
  commitKeys,
  type Random,
  type Records,
  sealingIn,
  tombstonesIn,
  withNewKey,
} from './change-keys.ts'
import type { KeyFacts } from './key-record.ts'
import { type KeySource, type LoadedKeys, loadKeys } from './load-keys.ts'

/** A sealing key as a cipher uses it: 16 bytes of id, 32 of key. */
type Key = { readonly id: Uint8Array; readonly key: Uint8Array }

/** The sealing keys of a running server. */
export type StoredSealingKeys = {
  /**
   * Returns the key that seals. In a new month it has the next one made meanwhile.
   *
   * @throws `keys/unavailable` where others may have changed the keys and the store does not answer
   */
  readonly current: () => Key
  /** Returns the key with an id; `undefined` when it is not here, or was destroyed. */
  readonly find: (id: Uint8Array) => Key | undefined
  /** Returns what is known of each key, destroyed ones included. */
  readonly facts: () => readonly KeyFacts[]
  /**
   * Reads the store again, and makes a new key where the month calls for one.
   *
   * @throws `keys/unusable`, and whatever the store fails with
   */
  readonly refresh: () => Promise<void>
}

export declare namespace storedSealingKeys {
  type Input = KeySource & {
    readonly clock: Clock
    /**
     * Allows a first key to be made where the store holds none; fails where memories were sealed
     * here before.
     */
    readonly requireNew: () => Promise<void>
    /**
     * How long keys that others may change are used after they were last read, in milliseconds;
     * absent where nobody else may change them.
     */
    readonly lease?: number | undefined
    /** Hears of a renewal that failed; it is tried again when something is sealed. */
    readonly onTrouble?: (error: unknown) => void
    readonly random?: Random
  }
}

/**
 * Opens the sealing keys of a store. Where there are none yet it makes the first one, and in each
 * new month another.
 *
 * @throws `keys/unusable`, and what `requireNew` fails with
 */
export async function storedSealingKeys(
  input: storedSealingKeys.Input,
): Promise<StoredSealingKeys> {
  const { clock, lease, onTrouble = () => undefined } = input
  let ring = ringOf(await upToDate(input))
  let readAt = clock.now()
  let reading: Promise<void> | undefined
  const read = async () => {
    const startedAt = clock.now()
    ring = ringOf(await upToDate(input))
    readAt = startedAt
  }
  const refresh = () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
  return {
    current: () => {
      const now = clock.now()
      if (lease !== undefined && now - readAt > lease) throw new Failure('keys/unavailable', {})
      if (isOver(ring.current.facts, now)) refresh().catch(onTrouble)
      return ring.current.key
    },
    find: (id) => ring.byId.get(hex(id)),
    facts: () => ring.facts,
    refresh,
  }
}

type Ring = {
  readonly current: { readonly facts: KeyFacts; readonly key: Key }
  readonly byId: ReadonlyMap<string, Key>
  readonly facts: readonly KeyFacts[]
}

/**
 * Returns the keys of a store as a cipher uses them.
 *
 * @throws `keys/unusable` where none of them may seal
 */
export function sealingKeysIn(loaded: LoadedKeys): Pick<StoredSealingKeys, 'current' | 'find'> {
  const { current, byId } = ringOf(loaded)
  return { current: () => current.key, find: (id) => byId.get(hex(id)) }
}

function ringOf({ records }: LoadedKeys): Ring {
  const byId = new Map<string, Key>()
  for (const { facts, key } of records) {
    const { id } = facts
    if (facts.state !== 'destroyed') byId.set(id, { id: Buffer.from(id, 'hex'), key })
  }
  const current = sealingIn(records)
  const key = current && byId.get(current.facts.id)
  if (current === undefined || key === undefined) {
    throw new Failure('keys/unusable', { problem: 'none of the sealing keys may seal' })
  }
  return { current: { facts: current.facts, key }, byId, facts: records.map(({ facts }) => facts) }
}

/** Returns what the store holds, with a key that is made where one is due. */
async function upToDate(input: storedSealingKeys.Input): Promise<LoadedKeys> {
  const found = await loadKeys(input)
  if (found === undefined) {
    await input.requireNew()
    return made(input, undefined, [])
  }
  await input.store.noteDestroyed(tombstonesIn(found.records))
  const current = sealingIn(found.records)
  const isDue = current === undefined || isOver(current.facts, input.clock.now())
  return isDue ? made(input, found, found.records) : found
}

async function made(
  input: storedSealingKeys.Input,
  before: LoadedKeys | undefined,
  records: Records,
): Promise<LoadedKeys> {
  const { clock, random } = input
  const next = withNewKey(records, { now: clock.now(), ...(random && { random }) })
  try {
    return await commitKeys(input, before, next)
  } catch (error) {
    // Another server was first, so its key is the new one.
    const theirs = isFailure(error, 'keys/changed') ? await loadKeys(input) : undefined
    if (theirs === undefined) throw error
    return theirs
  }
}

/** Tells whether the month (UTC) in which a key was made is over. */
function isOver({ createdAt }: Pick<KeyFacts, 'createdAt'>, now: number): boolean {
  return now > createdAt && monthOf(now) !== monthOf(createdAt)
}

const monthOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 7)

const hex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
