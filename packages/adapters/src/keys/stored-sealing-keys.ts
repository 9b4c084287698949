import { type Clock, Failure, isFailure } from '@heirloom/core'
import {
  commitKeys,
  destroyedIds,
  findSealingKey,
  type Random,
  type Records,
  withNewKey,
} from './change-keys.ts'
import type { KeyFacts } from './key-record.ts'
import { type KeySource, type LoadedKeys, loadKeys } from './load-keys.ts'

/** A sealing key as a cipher uses it: an id of 16 bytes and a key of 32 bytes. */
type Key = { readonly id: Uint8Array; readonly key: Uint8Array }

/** The sealing keys of a running server. */
export type StoredSealingKeys = {
  /**
   * Returns the key that seals. In a new month it also starts to make the next key.
   *
   * @throws `keys/unavailable` when the lease has expired because the store did not answer
   */
  readonly current: () => Key
  /** Returns the key with an id; `undefined` when it is unknown or was destroyed. */
  readonly find: (id: Uint8Array) => Key | undefined
  /** Returns the facts of all keys, including destroyed ones. */
  readonly facts: () => readonly KeyFacts[]
  /**
   * Reads the store again, and makes a new key when a new month has begun.
   *
   * @throws `keys/unusable`, and whatever the store throws
   */
  readonly refresh: () => Promise<void>
}

export declare namespace storedSealingKeys {
  type Input = KeySource & {
    readonly clock: Clock
    /**
     * Allows the first key of an empty store to be made; throws when bundles were sealed here
     * before.
     */
    readonly requireNew: () => Promise<void>
    /**
     * The time that keys can seal after they were last read, in milliseconds; absent when no other
     * process can change them.
     */
    readonly lease?: number | undefined
    /** Receives the error of a failed renewal, which is retried at the next seal. */
    readonly onTrouble?: (error: unknown) => void
    readonly random?: Random
  }
}

/**
 * Opens the sealing keys of a store. It makes the first key of an empty store, and another in each
 * new month.
 *
 * @throws `keys/unusable`, and whatever `requireNew` throws
 */
export async function storedSealingKeys(
  input: storedSealingKeys.Input,
): Promise<StoredSealingKeys> {
  const { clock, lease, onTrouble = () => undefined } = input
  let ring = keyRing(await loadCurrent(input))
  let readAt = clock.now()
  let refreshing: Promise<void> | undefined
  const read = async () => {
    const startedAt = clock.now()
    ring = keyRing(await loadCurrent(input))
    readAt = startedAt
  }
  const refresh = () => {
    refreshing ??= read().finally(() => {
      refreshing = undefined
    })
    return refreshing
  }
  return {
    current: () => {
      const now = clock.now()
      if (lease !== undefined && now - readAt > lease) throw new Failure('keys/unavailable', {})
      if (isMonthOver(ring.current.facts, now)) refresh().catch(onTrouble)
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
 * @throws `keys/unusable` when none of them may seal
 */
export function sealingKeysOf(loaded: LoadedKeys): Pick<StoredSealingKeys, 'current' | 'find'> {
  const { current, byId } = keyRing(loaded)
  return { current: () => current.key, find: (id) => byId.get(hex(id)) }
}

function keyRing({ records }: LoadedKeys): Ring {
  const byId = new Map<string, Key>()
  for (const { facts, key } of records) {
    const { id } = facts
    if (facts.state !== 'destroyed') byId.set(id, { id: Buffer.from(id, 'hex'), key })
  }
  const current = findSealingKey(records)
  const key = current && byId.get(current.facts.id)
  if (current === undefined || key === undefined) {
    throw new Failure('keys/unusable', { problem: 'none of the sealing keys may seal' })
  }
  return { current: { facts: current.facts, key }, byId, facts: records.map(({ facts }) => facts) }
}

/** Loads the records of the store, and adds a new key when one is due. */
async function loadCurrent(input: storedSealingKeys.Input): Promise<LoadedKeys> {
  const found = await loadKeys(input)
  if (found === undefined) {
    await input.requireNew()
    return commitNewKey(input, undefined, [])
  }
  await input.store.noteDestroyed(destroyedIds(found.records))
  const current = findSealingKey(found.records)
  const isDue = current === undefined || isMonthOver(current.facts, input.clock.now())
  return isDue ? commitNewKey(input, found, found.records) : found
}

async function commitNewKey(
  input: storedSealingKeys.Input,
  before: LoadedKeys | undefined,
  records: Records,
): Promise<LoadedKeys> {
  const { clock, random } = input
  const next = withNewKey(records, { now: clock.now(), ...(random && { random }) })
  try {
    return await commitKeys(input, before, next)
  } catch (error) {
    // Another server has committed first, so its key is the new one.
    const theirs = isFailure(error, 'keys/changed') ? await loadKeys(input) : undefined
    if (theirs === undefined) throw error
    return theirs
  }
}

/** Returns whether the month (UTC) in which a key was made is over. */
function isMonthOver({ createdAt }: Pick<KeyFacts, 'createdAt'>, now: number): boolean {
  return now > createdAt && monthOf(now) !== monthOf(createdAt)
}

const monthOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 7)

const hex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
