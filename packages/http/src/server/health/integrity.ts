import {
  type BlobStore,
  type Digest,
  Failure,
  isFailure,
  type MemoryService,
  type TokenId,
} from '@heirloom/core'
import { remembered } from './memoize-for.ts'

/** What was found where the sealed bytes of a token should be. */
export type Integrity = {
  readonly present: boolean
  /** How many there are; absent where they cannot be read. */
  readonly bytes: number | undefined
  /** Tells whether they hash to the digest on the chain. */
  readonly matches: boolean
}

/** For how long an answer holds, in milliseconds. */
const holdsFor = 1000

/** How many memories may wait to be read, the one that is read now among them. */
const mostWaiting = 100

/** How many answers are held at most. */
const mostHeld = 1000

export declare namespace integrityOf {
  type Parts = Pick<MemoryService, 'provenance'> & {
    /** Reads the bytes where they are kept. */
    readonly get: BlobStore['get']
    readonly now?: () => number
  }
}

/**
 * Returns how to look at the sealed bytes of tokens. Anyone may ask as often as they like, and they
 * may be many: an answer holds for a second, one memory is read at a time, and where a hundred
 * wait the next is refused with `service/busy`.
 */
export function integrityOf({ provenance, get, now }: integrityOf.Parts) {
  const held = new Map<Digest, () => Promise<Integrity>>()
  const inTurn = oneByOne()
  return async (id: TokenId): Promise<Integrity> => {
    const { digest: sealed } = await provenance({ tokenId: id })
    const options = { milliseconds: holdsFor, ...(now && { now }) }
    const ask = held.get(sealed) ?? remembered(() => inTurn(() => lookedAt(get, sealed)), options)
    if (held.size >= mostHeld) held.clear()
    held.set(sealed, ask)
    return ask()
  }
}

/** Returns what does one thing at a time, in the order asked for. */
function oneByOne() {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting >= mostWaiting) throw new Failure('service/busy', { limit: mostWaiting })
    waiting += 1
    const done = last.then(work).finally(() => {
      waiting -= 1
    })
    last = done.catch(() => undefined)
    return done
  }
}

async function lookedAt(get: BlobStore['get'], sealed: Digest): Promise<Integrity> {
  try {
    // A store gives bytes only when they hash to their digest.
    const { length } = await get(sealed)
    return { present: true, bytes: length, matches: true }
  } catch (error) {
    const present = isFailure(error, 'blob/corrupt')
    if (!present && !isFailure(error, 'blob/not-found')) throw error
    return { present, bytes: undefined, matches: false }
  }
}
