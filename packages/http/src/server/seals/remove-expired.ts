import { clockError, type MintedToken } from '@heirloom/adapters/internal/minted-tokens'
import type { SealNote } from '@heirloom/adapters/internal/seal-notes'
import { instant, removeBlobs, sameAccount } from '@heirloom/core'
import { adoptIfMinted, type WatchParts } from './mint-adoption.ts'
import { abandonedAfter } from './sealing.ts'

/** The time for which every server may still find an expired seal, in milliseconds. */
const expiredFor = 7 * 86_400_000

/** The longest wait for the catalogue, in milliseconds. */
export const catchUpLimit = 30_000

/** The seals that are removed after one question to the chain. */
const batch = 200

/**
 * Removes the blobs of seals that nobody minted in time. Asks the chain first: the catalogue must
 * have read its head, and every token since the first of the seals is read from the state of the
 * chain, since a node may have hidden an event from the catalogue. A seal has a quarter of its time
 * beyond its end, for a mint that is mined late.
 */
export async function removeExpired(parts: WatchParts, closing: AbortSignal): Promise<void> {
  const { notes, clock, lifetime } = parts
  const now = clock.now()
  await notes.forget({ storing: now - 10 * abandonedAfter, expired: now - expiredFor })
  for (let isMore = true; isMore && !closing.aborted; ) {
    const due = await notes.unminted(now - lifetime / 4, batch)
    const tokens = due.length === 0 ? undefined : await readTokens(parts, due, closing)
    if (tokens === undefined) return
    for (const note of due) await removeUnlessMinted(parts, note, tokens)
    isMore = due.length === batch
  }
}

async function removeUnlessMinted(
  parts: WatchParts,
  note: SealNote,
  tokens: readonly MintedToken[],
): Promise<void> {
  const { notes } = parts
  const isMinted = tokens.some(
    ({ creator, digest, isFork }) =>
      !isFork && digest === note.digest && sameAccount(creator, note.creator),
  )
  if (isMinted) await notes.end(note.id, 'minted')
  else if (!(await adoptIfMinted(parts, note)) && (await notes.end(note.id, 'expired'))) {
    await removeSealed(parts, note)
  }
}

/** Returns the tokens that may be of some seals; `undefined` while the catalogue is far behind. */
async function readTokens(
  { catalogue, minted }: WatchParts,
  due: readonly SealNote[],
  closing: AbortSignal,
): Promise<readonly MintedToken[] | undefined> {
  const signal = AbortSignal.any([AbortSignal.timeout(catchUpLimit), closing])
  await catalogue.caughtUp(signal)
  if (signal.aborted) return undefined
  const storedAt = Math.min(...due.map((it) => it.storedAt))
  const tokens: MintedToken[] = []
  for await (const token of minted(instant(Math.max(0, storedAt - clockError)))) tokens.push(token)
  return tokens
}

/**
 * Removes the blobs of a seal without a token. Its card stays where a token names it: a reader of a
 * memory has its salt, and with it seals the same card.
 */
export async function removeSealed(
  { catalogue, blobStore }: removeSealed.Parts,
  { digest, card }: Pick<SealNote, 'digest' | 'card'>,
): Promise<void> {
  const isNamed = card !== undefined && (await catalogue.namesCard(card))
  await removeBlobs(blobStore, { digest, card: isNamed ? undefined : card })
}

export declare namespace removeSealed {
  type Parts = {
    readonly catalogue: Pick<WatchParts['catalogue'], 'namesCard'>
    readonly blobStore: Pick<WatchParts['blobStore'], 'remove'>
  }
}
