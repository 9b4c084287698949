import { hexOf, sha256 } from './content-hash.ts'
import { type HeirloomError, isHeirloomError } from './heirloom-error.ts'
import type { Recipient, SnapshotContent, SnapshotInput, TokenIdInput } from './requests.ts'
import type { Minted } from './responses.ts'
import { encodeDocument } from './snapshot-body.ts'
import { refuseUnknown } from './transport/known-members.ts'
import { idempotencyKey } from './transport/request-line.ts'
import type { Timers } from './transport/retries.ts'
import type { WriteOptions } from './transport/transport.ts'

/** The options of automatic snapshots. */
export type AutoSnapshotOptions = {
  /** The interval between snapshots, in milliseconds. */
  readonly every: number
  /** Returns the current memory. */
  readonly build: () => SnapshotContent | Promise<SnapshotContent>
  /** Called for each minted token. */
  readonly onSnapshot?: ((minted: Minted) => void) | undefined
  /**
   * Called with the error of a scheduled snapshot: that of the client, or what `build` threw. The next
   * one is still scheduled.
   */
  readonly onError?: ((error: HeirloomError | Error) => void) | undefined
  /** The parent of the first snapshot; each later one has the previous snapshot as parent. */
  readonly parentTokenId?: TokenIdInput | undefined
  /** The owner of the tokens; the agent wallet when absent. */
  readonly recipient?: Recipient | undefined
}

/** Automatic snapshots that are running. */
export type AutoSnapshot = {
  /** Takes a snapshot now, unless the memory is unchanged. @throws {HeirloomError} */
  readonly now: () => Promise<Minted | undefined>
  /** Stops the schedule, and waits for snapshots in progress. */
  readonly stop: () => Promise<void>
}

type Parts = {
  readonly snapshot: (memory: SnapshotInput, options: WriteOptions) => Promise<Minted>
  readonly timers: Timers
}

/** Creates the `autoSnapshot` call. */
export const createAutoSnapshot =
  ({ snapshot, timers }: Parts) =>
  (options: AutoSnapshotOptions): AutoSnapshot => {
    refuseUnknown<AutoSnapshotOptions>('autoSnapshot', options, knownOptions)
    const { every, onError } = options
    const take = createTake(snapshot, options)
    let last: Promise<unknown> = Promise.resolve()
    const now = () => {
      const turn = last.then(take)
      last = turn.catch(() => undefined)
      return turn
    }
    const stopped = new AbortController()
    const schedule = (async () => {
      while (await isDue(timers.wait(every, stopped.signal))) await now().catch(report(onError))
    })()
    return {
      now,
      stop: async () => {
        stopped.abort()
        await schedule
        await last
      },
    }
  }

const knownOptions = {
  every: 1,
  build: 1,
  onSnapshot: 1,
  onError: 1,
  parentTokenId: 1,
  recipient: 1,
} as const

const builtMembers = { data: 1, metadata: 1, document: 1 } as const

const isDue = (waiting: Promise<void>): Promise<boolean> =>
  waiting.then(
    () => true,
    () => false,
  )

/** Reports an error in a microtask, so that an error of the listener cannot end the schedule. */
const report = (onError: AutoSnapshotOptions['onError']) => (error: unknown) => {
  queueMicrotask(() =>
    onError?.(error instanceof Error ? error : new Error(`${error}`, { cause: error })),
  )
}

/** Returns a function that takes the next snapshot; calls must not overlap. */
function createTake(snapshot: Parts['snapshot'], options: AutoSnapshotOptions) {
  let parentTokenId = options.parentTokenId
  let lastHash: string | undefined
  let pending: Pending | undefined
  return async (): Promise<Minted | undefined> => {
    const built = await options.build()
    refuseUnknown<SnapshotContent>('build', built, builtMembers)
    const document = await encodeDocument(built)
    const hash = hexOf(await sha256(document))
    if (hash === lastHash) return undefined
    if (pending?.hash !== hash) pending = { hash, key: idempotencyKey() }
    const { recipient } = options
    const write = { idempotencyKey: pending.key }
    const minted = await snapshot({ document, parentTokenId, recipient }, write).catch((error) => {
      if (!mayBeMinted(error)) pending = undefined
      throw error
    })
    ;[lastHash, pending, parentTokenId] = [hash, undefined, minted.tokenId]
    options.onSnapshot?.(minted)
    return minted
  }
}

/** A snapshot with an unknown outcome, and the idempotency key to repeat it with. */
type Pending = { readonly hash: string; readonly key: string }

/** Returns whether a failed snapshot may have been minted all the same. */
function mayBeMinted(error: unknown): boolean {
  if (!isHeirloomError(error) || error.code === 'transaction/cancelled') return false
  return error.status === undefined || error.status > 500
}
