import type { Recipient, SnapshotContent, SnapshotInput, TokenIdInput } from './requests.ts'
import { hexOf, sha256 } from './proof/content-hash.ts'
import { isHeirloomError } from './heirloom-error.ts'
import { idempotencyKey } from './idempotency-key.ts'
import { documentOf } from './snapshot-body.ts'
import type { Timers } from './transport/timers.ts'
import type { Minted } from './responses.ts'
import type { WriteOptions } from './transport/transport.ts'

/** How memories are snapshot by themselves. */
export type AutoSnapshotOptions = {
  /** How long to wait between, in milliseconds. */
  readonly every: number
  /** Returns the memory as it is now. */
  readonly build: () => SnapshotContent | Promise<SnapshotContent>
  /** Told of each token that was minted. */
  readonly onSnapshot?: ((minted: Minted) => void) | undefined
  /** Told of what went wrong by the clock; the next time comes all the same. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** The token that the first one grew from; each further one grew from the one before it. */
  readonly parentTokenId?: TokenIdInput | undefined
  /** Who owns the tokens; the server's wallet when absent. */
  readonly recipient?: Recipient | undefined
}

/** Snapshots that are made by themselves. */
export type AutoSnapshot = {
  /** Makes a snapshot now, unless nothing has changed since the last one. @throws {HeirloomError} */
  readonly now: () => Promise<Minted | undefined>
  /** Makes no more of them by the clock, and waits for what is under way. */
  readonly stop: () => Promise<void>
}

type Parts = {
  readonly snapshot: (memory: SnapshotInput, options: WriteOptions) => Promise<Minted>
  readonly timers: Timers
}

/** Begins to snapshot memories by the clock. */
export const snapshotting =
  ({ snapshot, timers }: Parts) =>
  (options: AutoSnapshotOptions): AutoSnapshot => {
    const { every, onError } = options
    const take = taking(snapshot, options)
    let last: Promise<unknown> = Promise.resolve()
    const now = () => {
      const turn = last.then(take)
      last = turn.catch(() => undefined)
      return turn
    }
    const stopped = new AbortController()
    const ended = (async () => {
      while (await isDue(timers.wait(every, stopped.signal))) await now().catch(told(onError))
    })()
    return {
      now,
      stop: async () => {
        stopped.abort()
        await ended
        await last
      },
    }
  }

const isDue = (waiting: Promise<void>): Promise<boolean> =>
  waiting.then(
    () => true,
    () => false,
  )

/** What a listener throws is nobody's to catch, and must not end the clock. */
const told = (onError: AutoSnapshotOptions['onError']) => (error: unknown) => {
  queueMicrotask(() => onError?.(error))
}

/** Returns what makes one snapshot after the other. */
function taking(snapshot: Parts['snapshot'], options: AutoSnapshotOptions) {
  let parentTokenId = options.parentTokenId
  let done: string | undefined
  let open: Open | undefined
  return async (): Promise<Minted | undefined> => {
    const document = documentOf(await options.build())
    const hash = hexOf(await sha256(document))
    if (hash === done) return undefined
    if (open?.hash !== hash) open = { hash, key: idempotencyKey() }
    const { recipient } = options
    const write = { idempotencyKey: open.key }
    const minted = await snapshot({ document, parentTokenId, recipient }, write).catch((error) => {
      if (!isOpen(error)) open = undefined
      throw error
    })
    ;[done, open, parentTokenId] = [hash, undefined, minted.tokenId]
    options.onSnapshot?.(minted)
    return minted
  }
}

/** A memory of which it is not known whether its token was minted, and the key that tells. */
type Open = { readonly hash: string; readonly key: string }

/** Tells whether a snapshot that failed may yet have been made. */
function isOpen(error: unknown): boolean {
  if (!isHeirloomError(error) || error.code === 'transaction/cancelled') return false
  return error.status === undefined || error.status > 500
}
