import type { MintedToken } from '@heirloom/adapters/internal/minted-tokens'
import type { SealNote } from '@heirloom/adapters/internal/seal-notes'
import { removeBlobs, sameAccount } from '@heirloom/core'
import { adoptIfMinted } from './mint-adoption.ts'
import type { mintWatch } from './mint-watch.ts'
import { abandonedAfter } from './sealing.ts'

/** The time for which every server may still find an expired seal, in milliseconds. */
const expiredFor = 7 * 86_400_000

/** The longest wait for the catalogue, in milliseconds. */
const catchUpLimit = 30_000

/** The seals that are removed after one question to the chain. */
const batch = 200

/**
 * Removes the blobs of seals that nobody minted in time. Asks the chain first: the catalogue must
 * have read its head, and the tokens that the catalogue does not show yet are read from the chain.
 * A seal has a quarter of its time beyond its end, for a mint that is mined late.
 */
export async function removeExpired(parts: mintWatch.Parts, closing: AbortSignal): Promise<void> {
  const { notes, clock, lifetime } = parts
  const now = clock.now()
  await notes.forget({ storing: now - 10 * abandonedAfter, expired: now - expiredFor })
  for (let isMore = true; isMore && !closing.aborted; ) {
    const due = await notes.unminted(now - lifetime / 4, batch)
    const newest = due.length === 0 ? undefined : await readNewTokens(parts, closing)
    if (newest === undefined) return
    for (const note of due) await removeUnlessMinted(parts, note, newest)
    isMore = due.length === batch
  }
}

async function removeUnlessMinted(
  parts: mintWatch.Parts,
  note: SealNote,
  newest: readonly MintedToken[],
): Promise<void> {
  const { notes } = parts
  const isNew = newest.some(
    ({ creator, digest, isFork }) =>
      !isFork && digest === note.digest && sameAccount(creator, note.creator),
  )
  if (isNew) await notes.end(note.id, 'minted')
  else if (!(await adoptIfMinted(parts, note)) && (await notes.end(note.id, 'expired'))) {
    await removeSealed(parts, note)
  }
}

/** Returns the tokens that the catalogue does not show yet; `undefined` while it is far behind. */
async function readNewTokens(
  { catalogue, minted }: mintWatch.Parts,
  closing: AbortSignal,
): Promise<readonly MintedToken[] | undefined> {
  const signal = AbortSignal.any([AbortSignal.timeout(catchUpLimit), closing])
  await catalogue.caughtUp(signal)
  if (signal.aborted) return undefined
  const { items } = await catalogue.tokens({ limit: 1 })
  const tokens: MintedToken[] = []
  for await (const token of minted(items[0]?.tokenId)) tokens.push(token)
  return tokens
}

/**
 * Removes the blobs of a seal without a token. Its card stays where a token names it: a reader of a
 * memory has its salt, and with it seals the same card.
 */
export async function removeSealed(
  { catalogue, blobStore }: Pick<mintWatch.Parts, 'catalogue' | 'blobStore'>,
  { digest, card }: Pick<SealNote, 'digest' | 'card'>,
): Promise<void> {
  const isNamed = card !== undefined && (await catalogue.namesCard(card))
  await removeBlobs(blobStore, { digest, card: isNamed ? undefined : card })
}
