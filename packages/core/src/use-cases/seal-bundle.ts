import { type Account, refuseNobody } from '../domain/account.ts'
import { type BundleInput, documentOf } from '../domain/bundle.ts'
import { type Card, card, encodeCard } from '../domain/card.ts'
import type { Digest, Hash, Salt } from '../domain/hash.ts'
import { requireFound, type TokenId } from '../domain/token.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { Ports } from '../ports/ports.ts'

/** The stored blobs of a sealed bundle. */
export type StoredBlobs = { readonly digest: Digest; readonly card: Digest | undefined }

/**
 * Seals a memory bundle for a creator in the registry of the ledger, and stores it with the block of
 * its card: both or neither. Checks everything first that a mint would refuse.
 *
 * @throws `bundle/malformed`, `card/malformed`, `json/malformed`, `json/duplicate-member`,
 * `json/too-deep`, `token/not-found` for the parent, `recipient/invalid`, `blob/unavailable`,
 * `ledger/unavailable`
 */
export async function sealBundle(
  { blobStore, cipher, ledger }: Pick<Ports, 'blobStore' | 'cipher' | 'ledger'>,
  { bundle, card: cardInput, parent, recipient, creator, salt, beforeStoring }: sealBundle.Input,
): Promise<StoredBlobs & { readonly contentHash: Hash }> {
  const document = documentOf(bundle)
  const validCard = cardInput === undefined ? undefined : card(cardInput)
  refuseNobody(recipient)
  if (parent !== undefined) requireFound(parent, await ledger.provenance(parent))

  const context = { registry: ledger.registry, creator }
  const { contentHash, ...sealed } = await cipher.seal(document, context, salt)
  const cardBlock = validCard && encodeCard({ card: validCard, contentHash })
  await beforeStoring?.(sealed.sealed.length + (cardBlock?.length ?? 0))
  return { contentHash, ...(await store(blobStore, sealed, cardBlock)) }
}

export declare namespace sealBundle {
  type Input = {
    readonly bundle: BundleInput
    readonly card: Card | undefined
    readonly parent: TokenId | undefined
    readonly recipient: Account
    /** The account that may mint the bundle. */
    readonly creator: Account
    /** The salt of the content hash; a fresh one when absent. */
    readonly salt?: Salt | undefined
    /** Runs with the number of bytes to store, before they are stored; may throw to refuse. */
    readonly beforeStoring?: ((bytes: number) => Promise<void>) | undefined
  }
}

async function store(
  blobStore: BlobStore,
  { sealed, headLength }: { readonly sealed: Uint8Array; readonly headLength: number },
  cardBlock: Uint8Array | undefined,
): Promise<StoredBlobs> {
  const digest = await blobStore.put(sealed, headLength)
  if (cardBlock === undefined) return { digest, card: undefined }
  const card = await blobStore.put(cardBlock).catch(async (error: unknown) => {
    await removeBlobs(blobStore, { digest, card: undefined })
    throw error
  })
  return { digest, card }
}

/** Removes stored blobs. An orphaned blob takes space but does no harm, so a failure is ignored. */
export async function removeBlobs(
  blobStore: Pick<BlobStore, 'remove'>,
  { digest, card }: StoredBlobs,
): Promise<void> {
  if (card !== undefined) await blobStore.remove(card).catch(() => undefined)
  await blobStore.remove(digest).catch(() => undefined)
}
