import type { Ports } from '../ports/ports.ts'
import type { Hash, Hex, Instant, TokenId } from '../values/branded.ts'
import { storageUri } from '../values/hex.ts'
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
  type Input = mintBundle.Memory
  type Output = {
    readonly tokenId: TokenId
    readonly contentHash: Hash
    readonly storageUri: string
    readonly txHash: Hex
    readonly timestamp: Instant
  }
}
