import { memoize } from '@heirloom/adapters/internal/platform'
import { type Digest, Failure, isFailure, type MemoryService, type TokenId } from '@heirloom/core'
import { type SerialQueue, serialQueue } from '../bounds/turns.ts'
import { readVersion, type StoredReads } from '../packs/packs-of.ts'

/** The state of the sealed bytes of a token. */
export type Integrity = {
  readonly present: boolean
  /** The number of bytes, with those of its packs; absent if they cannot be read. */
  readonly bytes: number | undefined
  /** Whether the bytes hash to the digest on the chain, and the packs to those that they name. */
  readonly matches: boolean
}

/** The time that a result is cached, in milliseconds. */
const cachedFor = 1000

/** The longest queue of checks, including the one that runs. */
const maxQueued = 100

/** The largest number of cached results. */
const maxCached = 1000

export declare namespace integrityCheck {
  type Parts = Pick<MemoryService, 'provenance'> & {
    /** Reads what is stored here. */
    readonly stored: StoredReads
    readonly now?: () => number
  }
}

/**
 * Returns the check of the sealed bytes of a token. It is open to anyone, so its cost is bounded: a
 * result is cached for a second, one blob is read at a time, and while a hundred checks wait the
 * next one is refused with `service/busy`.
 */
export function integrityCheck({ provenance, stored, now }: integrityCheck.Parts) {
  const cached = new Map<Digest, () => Promise<Integrity>>()
  const enqueue = boundedQueue()
  return async (id: TokenId): Promise<Integrity> => {
    const { digest: sealed } = await provenance({ tokenId: id })
    const options = { resultFor: cachedFor, failureFor: cachedFor, ...(now && { now }) }
    const check =
      cached.get(sealed) ?? memoize(() => enqueue(() => checkBlob(stored, sealed)), options)
    if (cached.size >= maxCached) cached.clear()
    cached.set(sealed, check)
    return check()
  }
}

/** Returns a queue that runs one task at a time and refuses tasks beyond its bound. */
function boundedQueue(): SerialQueue {
  const enqueue = serialQueue()
  let waiting = 0
  return async (task) => {
    if (waiting >= maxQueued) throw new Failure('service/busy', { limit: maxQueued })
    waiting += 1
    try {
      return await enqueue(task)
    } finally {
      waiting -= 1
    }
  }
}

async function checkBlob(stored: StoredReads, sealed: Digest): Promise<Integrity> {
  try {
    // A blob store returns bytes only if they hash to their digest, and the bundle names its packs.
    return { present: true, bytes: await readVersion(stored, sealed), matches: true }
  } catch (error) {
    const present = isFailure(error, 'blob/corrupt')
    if (!present && !isFailure(error, 'blob/not-found')) throw error
    return { present, bytes: undefined, matches: false }
  }
}
