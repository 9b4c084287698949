import type { Digest } from '@heirloom/core'
import { type InFlight, inFlight } from './in-flight.ts'
import { semaphore } from './turns.ts'

/** The budget of bytes that large documents may hold while they are sent. */
export type DownloadBudget = {
  /** Returns the reservation of one download, which is still empty. */
  readonly reservationFor: (client: string) => DownloadReservation
  /** Returns the bytes in flight. */
  readonly total: () => number
}

/** The part of the budget that one download holds. */
export type DownloadReservation = {
  /**
   * Reserves bytes for the document under a digest, before it is opened.
   *
   * @throws `request/too-many`, `service/busy`
   */
  readonly reserve: (digest: Digest) => Promise<void>
  /**
   * Reserves bytes for a part of this length, unless bytes for its document are reserved.
   *
   * @throws `request/too-many`, `service/busy`
   */
  readonly reserveBytes: (length: number) => Promise<void>
  /**
   * Reserves the bytes of memory that a reader of pieces may hold; corrects them when it runs again.
   *
   * @throws `request/too-many`, `service/busy` at its first run
   */
  readonly hold: (bytes: number) => void
  /** Corrects the reservation by the length of the opened document; returns whether it counts. */
  readonly settle: (length: number) => boolean
  /** Releases the reservation. */
  readonly release: () => void
}

export declare namespace downloadBudget {
  type Options = {
    /** The limit for all clients together; one client has half of it. 0 for no limit. */
    readonly maxBytes: number
    /** The length up to which a document is not counted. */
    readonly uncountedBytes: number
  }
}

/** The largest number of documents of unknown length that are opened at a time. */
const unmeasuredAtOnce = 4

/** The largest number of lengths that are cached. */
const maxLengths = 65_536

/**
 * Returns a budget for large documents. A document is in memory from its opening until it is sent;
 * only clients with the right to it get this far. Its length is known once it was opened for the
 * first time and never changes after that, so few of unknown length are opened at a time.
 */
export function downloadBudget(options: downloadBudget.Options): DownloadBudget {
  const { maxBytes, uncountedBytes } = options
  const what = 'bytes of downloads at once'
  const flight = inFlight({ max: maxBytes, maxPerClient: Math.floor(maxBytes / 2), what })
  const lengths = new Map<Digest, number>()
  const unmeasured = semaphore(unmeasuredAtOnce)
  const remember = (digest: Digest, length: number) => {
    if (lengths.size >= maxLengths) lengths.clear()
    lengths.set(digest, length)
  }
  const reservationFor = (client: string): DownloadReservation => {
    let release = () => {}
    const held = holder(flight, client)
    let isReserved = false
    let measuring: Digest | undefined
    return {
      reserve: async (digest) => {
        isReserved = true
        const length = lengths.get(digest)
        if (length !== undefined && length <= uncountedBytes) return
        if (length !== undefined) release = flight.enter(client, length)
        else {
          release = await unmeasured()
          measuring = digest
          // An exhausted budget refuses even a document that may turn out to be small.
          flight.enter(client, 1)()
        }
      },
      reserveBytes: async (length) => {
        if (!isReserved && length > uncountedBytes) release = flight.enter(client, length)
      },
      hold: (bytes) => bytes > uncountedBytes && held.hold(bytes),
      settle: (length) => {
        if (measuring !== undefined) {
          remember(measuring, length)
          release()
          release = length > uncountedBytes ? flight.add(client, length) : () => {}
        }
        return length > uncountedBytes
      },
      release: () => {
        release()
        held.release()
      },
    }
  }
  return { reservationFor, total: flight.total }
}

/** Holds an amount of a client, which each later call replaces and cannot be refused. */
function holder(flight: InFlight, client: string) {
  let release: (() => void) | undefined
  return {
    hold: (bytes: number) => {
      const reserve = release === undefined ? flight.enter : flight.add
      release?.()
      release = reserve(client, bytes)
    },
    release: () => release?.(),
  }
}
