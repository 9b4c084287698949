import type { Access, Listing, Provenance, TokenId } from '@heirloom/core'
import { type LruCache, lruCache } from '../platform/lru-cache.ts'
import type { Reads } from './reads.ts'

/** How many answers of each kind are kept: the most recently used, and at most twice as many. */
const most = 16_384

export declare namespace keptReads {
  /** Names the newest state of a chain that never takes back a block; absent while that changes. */
  type StateVersion = () => number | undefined
}

/** Returns reads that ask the chain once for what is the same until the next block, or for ever. */
export function keptReads(reads: Reads, stateVersion: keptReads.StateVersion): Reads {
  const access = untilChanged<string, Access>(stateVersion)
  const listing = untilChanged<TokenId, Listing>(stateVersion)
  const provenance = forEver<TokenId, Provenance>()
  return {
    access: (id, account) => access(`${id} ${account}`, () => reads.access(id, account)),
    listing: (id) => listing(id, () => reads.listing(id)),
    provenance: (id) => provenance(id, () => reads.provenance(id)),
  }
}

type Asking<Key, Value> = (key: Key, ask: Ask<Value>) => Promise<Value | undefined>
type Ask<Value> = () => Promise<Value | undefined>

function untilChanged<Key, Value>(stateVersion: keptReads.StateVersion): Asking<Key, Value> {
  let kept = lruCache<Key, Value>(most)
  let ofVersion: number | undefined
  return (key, ask) => {
    const version = stateVersion()
    if (version === undefined) return ask()
    // An answer that a change came in between is put where nobody looks any more.
    if (version !== ofVersion) kept = lruCache(most)
    ofVersion = version
    return through(kept, key, ask)
  }
}

function forEver<Key, Value>(): Asking<Key, Value> {
  const kept = lruCache<Key, Value>(most)
  return (key, ask) => through(kept, key, ask)
}

async function through<Key, Value>(
  kept: LruCache<Key, Value>,
  key: Key,
  ask: Ask<Value>,
): Promise<Value | undefined> {
  const known = kept.get(key)
  if (known !== undefined) return known
  const answer = await ask()
  if (answer !== undefined) kept.set(key, answer)
  return answer
}
