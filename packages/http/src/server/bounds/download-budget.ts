import type { Digest } from '@heirloom/core'
import { inFlight } from './in-flight.ts'
import { places } from './semaphore.ts'

/** The room that large memories have on their way to readers. */
export type DownloadRoom = {
  /** Returns the place of one download, which takes no room yet. */
  readonly placeOf: (client: string) => Place
  /** Returns how many bytes are on their way. */
  readonly total: () => number
}

/** A download's place in the room. */
export type Place = {
  /**
   * Takes room for the memory under a digest, before it is opened.
   *
   * @throws `request/too-many`, `service/busy`
   */
  readonly take: (digest: Digest) => Promise<void>
  /** Tells how long the memory is, once it is opened; returns whether that needs room. */
  readonly opened: (length: number) => boolean
  /** Gives the room away. */
  readonly leave: () => void
}

export declare namespace downloadRoom {
  type Options = {
    /** The most bytes for all clients together; one has half of them. 0 for any. */
    readonly bytes: number
    /** Up to how many bytes a memory needs no room. */
    readonly small: number
  }
}

/** How many memories of a length that nobody knows yet are opened at a time. */
const unmeasuredAtOnce = 4

/** How many lengths are known at a time. */
const mostKnown = 65_536

/**
 * Returns a room for large memories. A memory is held in whole from when it is opened until its
 * reader has it; only those with the right to it get here. How long one is shows when it is opened
 * for the first time, so of those few are opened at a time; after that it never changes.
 */
export function downloadRoom({ bytes, small }: downloadRoom.Options): DownloadRoom {
  const what = 'bytes of downloads at once'
  const flight = inFlight({ most: bytes, mostPerClient: Math.floor(bytes / 2), what })
  const lengths = new Map<Digest, number>()
  const unmeasured = places(unmeasuredAtOnce)
  const learn = (digest: Digest, length: number) => {
    if (lengths.size >= mostKnown) lengths.clear()
    lengths.set(digest, length)
  }
  const placeOf = (client: string): Place => {
    let leave = () => {}
    let measuring: Digest | undefined
    return {
      take: async (digest) => {
        const length = lengths.get(digest)
        if (length !== undefined && length <= small) return
        if (length !== undefined) leave = flight.enter(client, length)
        else {
          leave = await unmeasured()
          measuring = digest
          // What is full already takes nothing more, however small it may be.
          flight.enter(client, 1)()
        }
      },
      opened: (length) => {
        if (measuring !== undefined) {
          learn(measuring, length)
          leave()
          leave = length > small ? flight.add(client, length) : () => {}
        }
        return length > small
      },
      leave: () => leave(),
    }
  }
  return { placeOf, total: flight.total }
}
