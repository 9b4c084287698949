import type { Access, Holding, Listing, Provenance, TokenId } from '@heirloom/core'
import { type LruCache, lruCache } from '../platform/lru-cache.ts'
import type { Reads } from './reads.ts'

/** The size of each cache, in entries. */
const cacheSize = 16_384

export declare namespace cachedReads {
  /** Returns the version of the newest state; `undefined` while it changes. See `Chain`. */
  type StateVersion = () => number | undefined
}

/** Returns reads that are cached until the state changes; provenance never changes. */
export function cachedReads(reads: Reads, stateVersion: cachedReads.StateVersion): Reads {
  const access = cachePerVersion<string, Access>(stateVersion)
  const holding = cachePerVersion<TokenId, Holding>(stateVersion)
  const listing = cachePerVersion<TokenId, Listing>(stateVersion)
  const provenance = cacheForever<TokenId, Provenance>()
  return {
    access: (id, account) => access(`${id} ${account}`, () => reads.access(id, account)),
    holding: (id) => holding(id, () => reads.holding(id)),
    listing: (id) => listing(id, () => reads.listing(id)),
    provenance: (id) => provenance(id, () => reads.provenance(id)),
  }
}

type CachedRead<Key, Value> = (key: Key, read: Read<Value>) => Promise<Value | undefined>
type Read<Value> = () => Promise<Value | undefined>

function cachePerVersion<Key, Value>(
  stateVersion: cachedReads.StateVersion,
): CachedRead<Key, Value> {
  let cache = lruCache<Key, Value>(cacheSize)
  let cachedVersion: number | undefined
  return (key, read) => {
    const version = stateVersion()
    if (version === undefined) return read()
    // A read that a change overtakes writes its value to the old cache, which is never read again.
    if (version !== cachedVersion) cache = lruCache(cacheSize)
    cachedVersion = version
    return readThrough(cache, key, read)
  }
}

function cacheForever<Key, Value>(): CachedRead<Key, Value> {
  const cache = lruCache<Key, Value>(cacheSize)
  return (key, read) => readThrough(cache, key, read)
}

async function readThrough<Key, Value>(
  cache: LruCache<Key, Value>,
  key: Key,
  read: Read<Value>,
): Promise<Value | undefined> {
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  const value = await read()
  if (value !== undefined) cache.set(key, value)
  return value
}
