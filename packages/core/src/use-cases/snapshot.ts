import type { Account } from '../domain/account.ts'
import type { Budget } from '../domain/budget.ts'
import type { BundleInput } from '../domain/bundle.ts'
import type { Card } from '../domain/card.ts'
import { type Hash, type Hex, type Salt, storageUri } from '../domain/hash.ts'
import type { Idempotency } from '../domain/idempotency.ts'
import type { Instant } from '../domain/time.ts'
import type { TokenId } from '../domain/token.ts'
import { type FailureCode, isFailure } from '../failure.ts'
import type { MintResult } from '../ports/ledger.ts'
import type { Ports } from '../ports/ports.ts'
import { removeBlobs, sealBundle } from './seal-bundle.ts'
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
    /** The salt of a memory that was sealed elsewhere, so that its content hash stays. */
    readonly salt?: Salt | undefined
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
  ports: SnapshotPorts,
  { bundle, card, parent, recipient, salt, idempotency, budget }: snapshot.Input,
): Promise<MintResult> {
  const { blobStore, ledger } = ports
  const place = { parent, recipient: recipient ?? ledger.agent }
  const sealed = await sealBundle(ports, { bundle, card, ...place, salt, creator: ledger.agent })
  const token = { ...sealed, ...place, idempotency, budget }
  const minted = await ledger.mint(token).catch(async (error: unknown) => {
    if (isCertain(error)) await removeBlobs(blobStore, sealed)
    throw error
  })
  if (minted.digest !== sealed.digest) await removeBlobs(blobStore, sealed)
  return minted
}

// After these failures the token may still appear, and it would be worthless without its bundle.
const undecided = new Set<FailureCode>(['transaction/unconfirmed', 'transaction/unknown'])

function isCertain(error: unknown): boolean {
  return isFailure(error) && !undecided.has(error.code)
}
