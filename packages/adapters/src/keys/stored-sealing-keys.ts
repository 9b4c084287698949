import { type Clock, Failure, isFailure } from '@heirloom/core'
import {
  commitKeys,
  defaultTenant,
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
   * Returns the key that seals for a tenant, or for the server itself. In a new month it also starts
   * to make the next key.
   *
   * @throws `keys/unavailable` when the lease has expired because the store did not answer,
   * `keys/unusable` when the tenant has no key that seals
   */
  readonly current: (tenant?: string) => Key
  /** Reports whether a tenant has a key that seals; one whose keys were destroyed has none. */
  readonly seals: (tenant: string) => boolean
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
    /** Returns the names of the active tenants; none when absent. */
    readonly tenants?: () => Promise<readonly string[]>
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
    current: (tenant = defaultTenant) => {
      const now = clock.now()
      if (lease !== undefined && now - readAt > lease) throw new Failure('keys/unavailable', {})
      const current = ring.current.get(tenant)
      if (current === undefined) throw sealsNothing(tenant)
      if (isMonthOver(current.facts, now)) refresh().catch(onTrouble)
      return current.key
    },
    seals: (tenant) => ring.current.has(tenant),
    find: (id) => ring.byId.get(hex(id)),
    facts: () => ring.facts,
    refresh,
  }
}

type Ring = {
  /** The key that seals, by its tenant. */
  readonly current: ReadonlyMap<string, { readonly facts: KeyFacts; readonly key: Key }>
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
  const own = current.get(defaultTenant)
  if (own === undefined) throw sealsNothing(defaultTenant)
  return { current: () => own.key, find: (id) => byId.get(hex(id)) }
}

const sealsNothing = (tenant: string) =>
  new Failure('keys/unusable', {
    problem:
      tenant === defaultTenant
        ? 'none of the sealing keys may seal'
        : `none of the sealing keys may seal for the tenant ${tenant}`,
  })

function keyRing({ records }: LoadedKeys): Ring {
  const byId = new Map<string, Key>()
  const current = new Map<string, { readonly facts: KeyFacts; readonly key: Key }>()
  for (const { facts, key } of records) {
    const { id, state, tenant } = facts
    if (state === 'destroyed') continue
    const opened = { id: Buffer.from(id, 'hex'), key }
    byId.set(id, opened)
    if (state === 'sealing') current.set(tenant, { facts, key: opened })
  }
  if (!current.has(defaultTenant)) throw sealsNothing(defaultTenant)
  return { current, byId, facts: records.map(({ facts }) => facts) }
}

/** Loads the records of the store, and adds the new keys that are due. */
async function loadCurrent(input: storedSealingKeys.Input): Promise<LoadedKeys> {
  const found = await loadKeys(input)
  if (found === undefined) await input.requireNew()
  else await input.store.noteDestroyed(destroyedIds(found.records))
  // Read after the keys: who closes a tenant says so before its keys are closed.
  const tenants = (await input.tenants?.()) ?? []
  const now = input.clock.now()
  const records = found?.records ?? []
  const due = [defaultTenant, ...tenants].filter((tenant) => needsKey(records, tenant, now))
  return found !== undefined && due.length === 0 ? found : commitNewKeys(input, found, due)
}

/** Returns whether a new key of a tenant is due. A tenant whose keys were all destroyed gets none. */
function needsKey(records: Records, tenant: string, now: number): boolean {
  const current = findSealingKey(records, tenant)
  if (current !== undefined) return isMonthOver(current.facts, now)
  const own = records.filter(({ facts }) => facts.tenant === tenant)
  const isErased = own.length > 0 && own.every(({ facts }) => facts.state === 'destroyed')
  return tenant === defaultTenant || !isErased
}

async function commitNewKeys(
  input: storedSealingKeys.Input,
  before: LoadedKeys | undefined,
  tenants: readonly string[],
): Promise<LoadedKeys> {
  const { clock, random } = input
  const moment = { now: clock.now(), ...(random && { random }) }
  const next = tenants.reduce<Records>(
    (records, tenant) => withNewKey(records, moment, tenant),
    before?.records ?? [],
  )
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
