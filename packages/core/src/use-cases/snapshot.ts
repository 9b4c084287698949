import { type Account, refuseNobody } from '../domain/account.ts'
import { type BundleInput, documentOf } from '../domain/bundle.ts'
import { type Hash, type Hex, storageUri } from '../domain/hash.ts'
import type { Instant } from '../domain/time.ts'
import { existing, type TokenId } from '../domain/token.ts'
import type { Ports } from '../ports/ports.ts'

/**
 * Seals a memory bundle, stores it, and mints the token that proves it.
 *
 * @throws `bundle/malformed`, `json/malformed`, `json/duplicate-member`, `json/too-deep`,
 * `token/not-found` for the parent, `recipient/invalid`, `blob/unavailable`, and what any write
 * may fail with
 */
export async function snapshot(
  { blobStore, cipher, clock, ledger }: Ports,
  { bundle, parent, recipient = ledger.agent }: snapshot.Input,
): Promise<snapshot.Output> {
  const document = documentOf(bundle)
  refuseNobody(recipient)
  if (parent !== undefined) existing(parent, await ledger.provenance(parent))

  const { sealed, contentHash } = await cipher.seal(document)
  const digest = await blobStore.put(sealed)
  const minted = await ledger.mint({ contentHash, digest, parent, recipient })
  return { ...minted, contentHash, storageUri: storageUri(digest), timestamp: clock.now() }
}

export declare namespace snapshot {
  type Input = {
    readonly bundle: BundleInput
    /** The token this memory grew from; absent for a root. */
    readonly parent?: TokenId | undefined
    /** The owner of the new token; the agent when absent. */
    readonly recipient?: Account | undefined
  }
  type Output = {
    readonly tokenId: TokenId
    readonly contentHash: Hash
    readonly storageUri: string
    readonly txHash: Hex
    readonly timestamp: Instant
  }
}
