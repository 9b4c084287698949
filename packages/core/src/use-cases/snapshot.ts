import { type Account, refuseNobody } from '../domain/account.ts'
import type { Budget } from '../domain/budget.ts'
import { type BundleInput, documentOf } from '../domain/bundle.ts'
import { type Card, card, encodeCard } from '../domain/card.ts'
import { type Digest, type Hash, type Hex, storageUri } from '../domain/hash.ts'
import type { Idempotency } from '../domain/idempotency.ts'
import type { Instant } from '../domain/time.ts'
import { requireFound, type TokenId } from '../domain/token.ts'
import { type FailureCode, isFailure } from '../failure.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { MintResult } from '../ports/ledger.ts'
import type { Ports } from '../ports/ports.ts'
import { writeOnce } from './write-once.ts'

/**
 * Seals a memory bundle for the agent in this registry, stores it and mints its token. Mints only
 * the content hash and the digest of the bundle that it sealed itself. Stores a card unencrypted.
 * Removes the stored blobs again when it is certain that no token refers to them.
 *
 * @throws `bundle/malformed`, `card/malformed`, `json/malformed`, `json/duplicate-member`,
 * `json/too-deep`, `token/not-found` for the parent, `recipient/invalid`, `blob/unavailable`, and
 * the failures of any write
 */
export async function snapshot(
  ports: SnapshotPorts,
  { idempotency, ...input }: snapshot.Input,
): Promise<snapshot.Output> {
  const { ledger } = ports
  const minted = await writeOnce({ ledger, write: 'mint', idempotency }, () =>
    mint(ports, { idempotency, ...input }),
  )
  const { tokenId, contentHash, digest, txHash, acceptedAt: timestamp } = minted
  return { tokenId, contentHash, storageUri: storageUri(digest), txHash, timestamp }
}

export declare namespace snapshot {
  type Input = {
    readonly bundle: BundleInput
    /** The public description of the memory, visible for ever; none when absent. */
    readonly card?: Card | undefined
    /** The token that this memory is based on; absent for a root. */
    readonly parent?: TokenId | undefined
    /** The owner of the new token; the agent when absent. */
    readonly recipient?: Account | undefined
    /** The key and fingerprint that make the write once for all requests with this key. */
    readonly idempotency?: Idempotency | undefined
    /** The budget that the write is charged to; none when absent. */
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

type SnapshotPorts = Pick<Ports, 'blobStore' | 'cipher' | 'ledger'>

async function mint(
  { blobStore, cipher, ledger }: SnapshotPorts,
  {
    bundle,
    card: cardInput,
    parent,
    recipient = ledger.agent,
    idempotency,
    budget,
  }: snapshot.Input,
): Promise<MintResult> {
  const document = documentOf(bundle)
  const validCard = cardInput === undefined ? undefined : card(cardInput)
  refuseNobody(recipient)
  if (parent !== undefined) requireFound(parent, await ledger.provenance(parent))

  const context = { registry: ledger.registry, creator: ledger.agent }
  const { contentHash, ...sealed } = await cipher.seal(document, context)
  const cardBlock = validCard && encodeCard({ card: validCard, contentHash })
  const stored = await store(blobStore, sealed, cardBlock)
  const token = { contentHash, ...stored, parent, recipient, idempotency, budget }
  const minted = await ledger.mint(token).catch(async (error: unknown) => {
    if (isCertain(error)) await remove(blobStore, stored)
    throw error
  })
  if (minted.digest !== stored.digest) await remove(blobStore, stored)
  return minted
}

// After these failures the token may still appear, and it would be worthless without its bundle.
const undecided = new Set<FailureCode>(['transaction/unconfirmed', 'transaction/unknown'])

function isCertain(error: unknown): boolean {
  return isFailure(error) && !undecided.has(error.code)
}

type StoredBlobs = { readonly digest: Digest; readonly card: Digest | undefined }

/** Stores a sealed bundle and the block of its card, both or neither. */
async function store(
  blobStore: BlobStore,
  { sealed, headLength }: { readonly sealed: Uint8Array; readonly headLength: number },
  cardBlock: Uint8Array | undefined,
): Promise<StoredBlobs> {
  const digest = await blobStore.put(sealed, headLength)
  if (cardBlock === undefined) return { digest, card: undefined }
  const card = await blobStore.put(cardBlock).catch(async (error: unknown) => {
    await remove(blobStore, { digest, card: undefined })
    throw error
  })
  return { digest, card }
}

// An orphaned blob takes space but does no harm, so a failed removal is ignored.
async function remove(blobStore: BlobStore, { digest, card }: StoredBlobs): Promise<void> {
  if (card !== undefined) await blobStore.remove(card).catch(() => undefined)
  await blobStore.remove(digest).catch(() => undefined)
}
