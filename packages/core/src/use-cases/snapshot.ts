import type { Account } from '../domain/account.ts'
import type { Budget } from '../domain/budget.ts'
import type { BundleInput } from '../domain/bundle.ts'
import type { CardInput } from '../domain/card.ts'
import { type Hash, type Hex, type Salt, storageUri } from '../domain/hash.ts'
import type { Idempotency } from '../domain/idempotency.ts'
import type { Instant } from '../domain/time.ts'
import type { TokenId } from '../domain/token.ts'
import type { Line } from '../ports/cipher.ts'
import type { Ports } from '../ports/ports.ts'
import { mintBundle } from './mint-bundle.ts'
import { writeOnce } from './write-once.ts'

/** The failures of `snapshot`, besides those of any write. */
export const snapshotFailures = [
  'blob/unavailable',
  'bundle/malformed',
  'card/malformed',
  'excerpt/not-in-memory',
  'json/duplicate-member',
  'json/malformed',
  'json/too-deep',
  'recipient/invalid',
  'token/not-found',
] as const

/**
 * Seals a memory bundle for the agent in this registry, stores it and mints its token. Mints only
 * the content hash and the digest of the bundle that it sealed itself. Stores a card unencrypted.
 * Removes the stored blobs again when its mint was never signed.
 *
 * @throws `bundle/malformed`, `card/malformed`, `json/malformed`, `json/duplicate-member`,
 * `json/too-deep`, `excerpt/not-in-memory`, `token/not-found` for the parent, `recipient/invalid`,
 * `blob/unavailable`, and the failures of any write
 */
export async function snapshot(
  ports: Pick<Ports, 'blobStore' | 'cipher' | 'ledger'>,
  { idempotency, ...input }: snapshot.Input,
): Promise<snapshot.Output> {
  const { ledger } = ports
  const minted = await writeOnce({ ledger, write: 'mint', idempotency }, () =>
    mintBundle(ports, { idempotency, ...input }),
  )
  const { tokenId, contentHash, digest, txHash, acceptedAt: timestamp } = minted
  return { tokenId, contentHash, storageUri: storageUri(digest), txHash, timestamp }
}

export declare namespace snapshot {
  type Input = {
    readonly bundle: BundleInput
    /** The public description of the memory, visible for ever; none when absent. */
    readonly card?: CardInput | undefined
    /** The token that this memory is based on; absent for a root. */
    readonly parent?: TokenId | undefined
    /** The owner of the new token; the agent when absent. */
    readonly recipient?: Account | undefined
    /** The salt of a memory that was sealed elsewhere, so that its content hash stays. */
    readonly salt?: Salt | undefined
    /** The line that the memory is the next version of; a line of its own when absent. */
    readonly line?: Line | undefined
    /**
     * Whether the bytes or members of the bundle are handed over, with all that shares their buffer:
     * they may be changed, and those of a long one are released as soon as it is sealed.
     */
    readonly isHandedOver?: boolean | undefined
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
