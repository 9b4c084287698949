import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import type { DecidedMint } from '@heirloom/adapters/internal/failed-mints'
import type { OpenBlobStore } from '@heirloom/core'
import { serialQueue } from '../bounds/turns.ts'
import { mintAdoption, type WatchParts } from './mint-adoption.ts'
import { catchUpLimit, removeExpired, removeSealed } from './remove-expired.ts'

/**
 * Watches the chain for the mints of sealed memories, and removes those that were never minted, by
 * their wallets or by one of the server.
 */
export type MintWatch = {
  /** Follows the events from now on, because there is a seal whose mint may come. */
  readonly wake: () => Promise<void>
  /** Looks for mints and removes what has expired; the watch does it by itself from time to time. */
  readonly sweep: () => Promise<void>
  /** Stops after the current step. */
  readonly close: () => Promise<void>
}

/** The longest pause between two sweeps, in milliseconds. */
const longestPause = 60_000

/** The pause before the first sweep, in milliseconds. */
const firstPause = 1000

/** Starts a watch. */
export function mintWatch(parts: WatchParts): MintWatch {
  const { catalogue, lifetime, onTrouble } = parts
  const enqueue = serialQueue()
  const adoption = mintAdoption(parts)
  const removed = new Set<string>()
  const closing = new AbortController()
  const run = (task: () => Promise<void>) =>
    closing.signal.aborted ? Promise.resolve() : enqueue(task).catch(onTrouble)
  const sweep = () =>
    run(async () => {
      await adoption.start()
      await removeExpired(parts, closing.signal)
      await removeForOthers(parts, removed)
      await removeFailed(parts, closing.signal)
    })
  const unsubscribe = catalogue.onChange(coalesced(() => run(adoption.follow)))
  const pause = Math.min(longestPause, Math.max(250, lifetime / 4))
  const timer = setInterval(coalesced(sweep), pause).unref()
  // Not at once: a start has more urgent work.
  const first = setTimeout(coalesced(sweep), Math.min(pause, firstPause)).unref()
  return {
    // Beside the queue: a request waits for it, and a sweep may wait for the chain.
    wake: adoption.wake,
    sweep,
    close: async () => {
      closing.abort()
      unsubscribe()
      clearInterval(timer)
      clearTimeout(first)
      await enqueue(async () => undefined)
    },
  }
}

/** Returns a function that starts a task unless it waits or runs already; then it runs once more. */
function coalesced(task: () => Promise<void>): () => void {
  let waiting = 0
  return () => {
    if (waiting > 1) return
    waiting += 1
    void task().finally(() => {
      waiting -= 1
    })
  }
}

/** Removes the blobs of seals that another server ended, and that are stored here. */
async function removeForOthers(parts: WatchParts, removed: Set<string>): Promise<void> {
  for (const note of await parts.notes.expired()) {
    if (removed.has(note.id)) continue
    await removeSealed(parts, note)
    removed.add(note.id)
  }
}

declare namespace removeFailed {
  type Parts = {
    readonly failed: WatchParts['failed']
    readonly catalogue: Pick<SqlCatalogue, 'caughtUp' | 'mintOf' | 'namesCard'>
    readonly blobStore: Pick<OpenBlobStore, 'claim' | 'remove'>
  }
}

/**
 * Removes the blobs of mints that failed after they were signed. Both the state of the chain and the
 * catalogue must have no token of them. One that has a token after all keeps its blobs, and its job
 * returns the token from now on; the blobs of a pair that another mint made stay, too.
 */
async function removeFailed(parts: removeFailed.Parts, closing: AbortSignal): Promise<void> {
  for await (const mint of parts.failed()) {
    if (mint.isPairMinted) await claim(parts, mint)
    else if (await isUnknown(parts, mint, closing)) await removeSealed(parts, mint)
    else continue
    await mint.settle()
  }
}

async function claim(
  { blobStore }: removeFailed.Parts,
  { digest, card }: DecidedMint,
): Promise<void> {
  await blobStore.claim(digest)
  if (card !== undefined) await blobStore.claim(card)
}

/** Returns whether the catalogue has read the head of the chain, and has no token of a mint. */
async function isUnknown(
  { catalogue }: removeFailed.Parts,
  mint: DecidedMint,
  closing: AbortSignal,
): Promise<boolean> {
  const signal = AbortSignal.any([AbortSignal.timeout(catchUpLimit), closing])
  await catalogue.caughtUp(signal)
  return !signal.aborted && (await catalogue.mintOf(mint)) === undefined
}
