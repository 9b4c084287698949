import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import type { DecidedMint } from '@heirloom/adapters/internal/failed-mints'
import type { MintedToken } from '@heirloom/adapters/internal/minted-tokens'
import type { SealNote, SealNotes } from '@heirloom/adapters/internal/seal-notes'
import type { Clock, HistoryEntry, Instant, OpenBlobStore } from '@heirloom/core'

/** The parts of the watch of mints. */
export type WatchParts = {
  readonly notes: Pick<SealNotes, 'unminted' | 'unmintedOf' | 'expired' | 'end' | 'forget'>
  readonly catalogue: Pick<
    SqlCatalogue,
    | 'caughtUp'
    | 'eventsAfter'
    | 'newestEventId'
    | 'mintOf'
    | 'namesCard'
    | 'onChange'
    | 'token'
    | 'tokens'
  >
  /** Returns the tokens since a time as the head of the chain has them. */
  readonly minted: (since: Instant) => AsyncIterable<MintedToken>
  /** Returns the failed mints of the server's wallets that a final block decides. */
  readonly failed: () => AsyncIterable<DecidedMint>
  readonly blobStore: Pick<OpenBlobStore, 'claim' | 'remove'>
  readonly clock: Clock
  /** The time that a wallet has for its mint, in milliseconds. */
  readonly lifetime: number
  readonly onTrouble: (error: unknown) => void
}

type Parts = Pick<WatchParts, 'catalogue' | 'notes'>

/** The events that are read at once. */
const batch = 200

/** The unminted seals that are looked up when nobody read the events; others expire unseen. */
const mostLookedUp = 2000

/** Adopts seals whose mints the events of the catalogue show. Reads none while no seal waits. */
export function mintAdoption({ catalogue, notes }: Parts) {
  let isFollowing = false
  let position: string | undefined
  let wakes = 0
  const wake = async () => {
    wakes += 1
    if (isFollowing) return
    const newest = await catalogue.newestEventId()
    if (!isFollowing) position = newest
    isFollowing = true
  }
  const follow = async () => {
    for (let isMore = isFollowing; isMore; ) {
      const { entries } = await catalogue.eventsAfter(position, batch)
      for (const entry of entries) await adoptMint({ catalogue, notes }, entry)
      position = entries.at(-1)?.id ?? position
      isMore = entries.length === batch
    }
  }
  /** Stops following if no seal waits; else adopts what was minted while nobody followed. */
  const start = async () => {
    const [wasFollowing, wakesBefore] = [isFollowing, wakes]
    const waiting = await notes.unminted(Number.MAX_SAFE_INTEGER, isFollowing ? 1 : mostLookedUp)
    if (waiting.length > 0) await wake()
    else isFollowing &&= wakes !== wakesBefore
    if (!wasFollowing) await adoptAll({ catalogue, notes }, waiting)
  }
  return { wake, follow, start }
}

async function adoptAll(parts: Parts, waiting: readonly SealNote[]): Promise<void> {
  for (const note of waiting) await adoptIfMinted(parts, note)
}

async function adoptMint({ notes, catalogue }: Parts, entry: HistoryEntry): Promise<void> {
  if (entry.kind !== 'mint') return
  for (const { id, digest } of await notes.unmintedOf(entry.creator, entry.contentHash)) {
    const token = await catalogue.token(entry.tokenId)
    if (token?.digest === digest) await notes.end(id, 'minted')
  }
}

/** Ends the wait for a mint if the catalogue shows it; returns whether it does. */
export async function adoptIfMinted(
  { notes, catalogue }: Parts,
  { id, ...sealed }: SealNote,
): Promise<boolean> {
  const isMinted = (await catalogue.mintOf(sealed)) !== undefined
  if (isMinted) await notes.end(id, 'minted')
  return isMinted
}
