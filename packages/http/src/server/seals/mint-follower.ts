import type { SealNote } from '@heirloom/adapters/internal/seal-notes'
import type { HistoryEntry } from '@heirloom/core'
import type { mintWatch } from './mint-watch.ts'

type Parts = Pick<mintWatch.Parts, 'catalogue' | 'notes'>

/** The events that are read at once. */
const batch = 200

/** The unminted seals that are looked up when nobody followed the events; others expire unseen. */
const mostLookedUp = 2000

/** Adopts seals whose mints the events of the catalogue show. Reads none while no seal waits. */
export function mintFollower({ catalogue, notes }: Parts) {
  let isFollowing = false
  let position: string | undefined
  const wake = async () => {
    if (isFollowing) return
    position = await catalogue.newestEventId()
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
    const waiting = await notes.unminted(Number.MAX_SAFE_INTEGER, isFollowing ? 1 : mostLookedUp)
    const wasFollowing = isFollowing
    if (waiting.length === 0) isFollowing = false
    else await wake()
    if (wasFollowing) return
    for (const note of waiting) await adoptIfMinted({ catalogue, notes }, note)
  }
  return { wake, follow, start }
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
  { id, creator, contentHash, digest }: SealNote,
): Promise<boolean> {
  const { items } = await catalogue.tokens({ creator, contentHash, limit: 100 })
  const isMinted = items.some((token) => token.digest === digest)
  if (isMinted) await notes.end(id, 'minted')
  return isMinted
}
