import { type Account, refuseNobody } from '../domain/account.ts'
import type { Budget } from '../domain/budget.ts'
import { type BundleInput, documentOf } from '../domain/bundle.ts'
import { type Card, card, documentOfCard } from '../domain/card.ts'
import { type Digest, type Hash, type Hex, storageUri } from '../domain/hash.ts'
import type { Idempotency } from '../domain/idempotency.ts'
import type { Instant } from '../domain/time.ts'
import { existing, type TokenId } from '../domain/token.ts'
import { type FailureCode, isFailure } from '../failure.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { Minted } from '../ports/ledger.ts'
import type { Ports } from '../ports/ports.ts'
import { once } from './write-once.ts'

/**
 * Seals a memory bundle for the agent in this registry, stores it, and mints the token that proves
 * it. No content hash and no digest is ever minted but those of what was sealed here. A card is stored in the
 * open. What it stored is removed again when it is certain that no token refers to it.
 *
 * @throws `bundle/malformed`, `card/malformed`, `json/malformed`, `json/duplicate-member`,
 * `json/too-deep`, `token/not-found` for the parent, `recipient/invalid`, `blob/unavailable`, and
 * what any write may fail with
 */
export async function snapshot(
  ports: Sealing,
  { idempotency, ...input }: snapshot.Input,
): Promise<snapshot.Output> {
  const { ledger } = ports
  const minted = await once({ ledger, write: 'mint', idempotency }, () =>
    mint(ports, { idempotency, ...input }),
  )
  const { tokenId, contentHash, digest, txHash, acceptedAt: timestamp } = minted
  return { tokenId, contentHash, storageUri: storageUri(digest), txHash, timestamp }
}

export declare namespace snapshot {
  type Input = {
    readonly bundle: BundleInput
    /** What everybody may see of the memory, for ever; nothing of it when absent. */
    readonly card?: Card | undefined
    /** The token this memory grew from; absent for a root. */
    readonly parent?: TokenId | undefined
    /** The owner of the new token; the agent when absent. */
    readonly recipient?: Account | undefined
    /** Makes the write once for all requests with this key. */
    readonly idempotency?: Idempotency | undefined
    /** In whose name the write is made; in nobody's when absent. */
    readonly budget?: Budget | undefined
  }
  type Output = {
    readonly tokenId: TokenId
    readonly contentHash: Hash
    readonly storageUri: string
    readonly txHash: Hex
    readonly timestamp: Instant
  }
}

type Sealing = Pick<Ports, 'blobStore' | 'cipher' | 'ledger'>

async function mint(
  { blobStore, cipher, ledger }: Sealing,
  { bundle, card: given, parent, recipient = ledger.agent, idempotency, budget }: snapshot.Input,
): Promise<Minted> {
  const document = documentOf(bundle)
  const shown = given === undefined ? undefined : card(given)
  refuseNobody(recipient)
  if (parent !== undefined) existing(parent, await ledger.provenance(parent))

  const context = { registry: ledger.registry, creator: ledger.agent }
  const { contentHash, ...sealed } = await cipher.seal(document, context)
  const block = shown && documentOfCard({ card: shown, contentHash })
  const kept = await keep(blobStore, sealed, block)
  const token = { contentHash, ...kept, parent, recipient, idempotency, budget }
  const minted = await ledger.mint(token).catch(async (error: unknown) => {
    if (isCertain(error)) await discard(blobStore, kept)
    throw error
  })
  if (minted.digest !== kept.digest) await discard(blobStore, kept)
  return minted
}

// After these the token may yet appear, and would be worth nothing without its bundle.
const undecided = new Set<FailureCode>(['transaction/unconfirmed', 'transaction/unknown'])

function isCertain(error: unknown): boolean {
  return isFailure(error) && !undecided.has(error.code)
}

type Kept = { readonly digest: Digest; readonly card: Digest | undefined }

/** Stores a sealed bundle and the block of its card, both or neither. */
async function keep(
  blobStore: BlobStore,
  { sealed, headLength }: { readonly sealed: Uint8Array; readonly headLength: number },
  block: Uint8Array | undefined,
): Promise<Kept> {
  const digest = await blobStore.put(sealed, headLength)
  if (block === undefined) return { digest, card: undefined }
  const card = await blobStore.put(block).catch(async (error: unknown) => {
    await discard(blobStore, { digest, card: undefined })
    throw error
  })
  return { digest, card }
}

// What stays behind takes room and does no harm, so it is no reason to fail.
async function discard(blobStore: BlobStore, { digest, card }: Kept): Promise<void> {
  if (card !== undefined) await blobStore.remove(card).catch(() => undefined)
  await blobStore.remove(digest).catch(() => undefined)
}
