import { type BundleInput, documentOf } from '../bundles/bundle.ts'
import { type CardInput, card, encodeCard, partCard } from '../bundles/card.ts'
import type { Saving } from '../bundles/saver.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { Line } from '../ports/cipher.ts'
import type { Ports } from '../ports/ports.ts'
import { requireFound } from '../tokens/provenance.ts'
import type { Account, Digest, Hash, Salt, TokenId } from '../values/branded.ts'
import { refuseNobody, zeroHash } from '../values/hex.ts'
import { sealedSaver } from './read-origin.ts'

/** The stored blobs of a sealed bundle. */
export type StoredBlobs = { readonly digest: Digest; readonly card: Digest | undefined }

/** The blobs of a sealed bundle with its content hash, and sizes in bytes. */
export type SealedBundle = StoredBlobs & {
  readonly contentHash: Hash
  readonly documentBytes: number
  /** The bytes that were stored for it, its card included. */
  readonly storedBytes: number
}

/**
 * Seals a memory bundle for a creator in the registry of the ledger, and stores it with the block of
 * its card: both or neither. Checks everything first that a mint would refuse.
 *
 * @throws `bundle/malformed`, `card/malformed`, `json/malformed`, `json/duplicate-member`,
 * `json/too-deep`, `excerpt/not-in-memory`, `token/not-found` for the parent, `recipient/invalid`,
 * `blob/unavailable`, `ledger/unavailable`
 */
export async function sealBundle(
  { blobStore, cipher, ledger }: Pick<Ports, 'blobStore' | 'cipher' | 'ledger'>,
  {
    bundle,
    card: cardInput,
    parent,
    recipient,
    creator,
    salt,
    line,
    saving,
    isHandedOver,
    beforeStoring,
  }: sealBundle.Input,
): Promise<SealedBundle> {
  const document = documentOf(bundle, { isHandedOver })
  const documentBytes = document.length
  const parts = cardInput && partCard(cardInput)
  const validCard = parts && card(parts.card)
  refuseNobody(recipient)
  if (parent !== undefined) requireFound(parent, await ledger.provenance(parent))

  const savedBy = saving && (await sealedSaver({ blobStore, cipher, ledger }, saving, parent))
  const context = { registry: ledger.registry, creator }
  const cardBlockOf = (contentHash: Hash) =>
    validCard && encodeCard({ card: validCard, contentHash })
  let storedBytes = 0
  const { contentHash, ...sealed } = await cipher.seal(document, context, {
    blobs: blobStore,
    salt,
    line,
    savedBy,
    excerpts: parts?.excerpts,
    isHandedOver,
    beforeStoring: async (bytes) => {
      // Every content hash has the same length, and the card's is not known yet.
      storedBytes = bytes + (cardBlockOf(zeroHash)?.length ?? 0)
      await beforeStoring?.(storedBytes)
    },
  })
  const stored = await store(blobStore, sealed, cardBlockOf(contentHash))
  return { contentHash, documentBytes, storedBytes, ...stored }
}

export declare namespace sealBundle {
  type Input = {
    readonly bundle: BundleInput
    readonly card: CardInput | undefined
    readonly parent: TokenId | undefined
    readonly recipient: Account
    /** The account that may mint the bundle. */
    readonly creator: Account
    /** The salt of the content hash; a fresh one when absent. */
    readonly salt?: Salt | undefined
    /** The line that the bundle is the next version of; a line of its own when absent. */
    readonly line?: Line | undefined
    /** The one who saves it; sealed into its head. Nobody when absent. */
    readonly saving?: Saving | undefined
    /** Whether the bytes or members of the bundle are handed over, with all that shares their buffer. */
    readonly isHandedOver?: boolean | undefined
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
