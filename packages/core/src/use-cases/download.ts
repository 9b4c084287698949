import { admit } from '../domain/access.ts'
import { refuseAltered } from '../domain/bundle.ts'
import type { Hash, Salt } from '../domain/hash.ts'
import { challenge, type Proof, refuseStale } from '../domain/proof.ts'
import { existing, type TokenId } from '../domain/token.ts'
import { Failure } from '../failure.ts'
import type { Ports } from '../ports/ports.ts'

/**
 * Opens the memory of a token for its owner or an active renter. A contract that stands for an
 * account is asked last: whoever has no right to the token cannot make it work. The memory must
 * have been sealed for the creator of the token's source, in this registry: a token that shows a
 * copy opens nothing.
 *
 * @throws `proof/stale`, `proof/not-signed`, `token/not-found`, `access/denied`, `access/copied`,
 * `blob/not-found`, `blob/corrupt`, `blob/unavailable`, `bundle/unreadable`, `bundle/altered`,
 * `ledger/unavailable`, `service/busy`
 */
export async function download(
  { blobStore, cipher, clock, ledger }: Ports,
  { tokenId, proof }: download.Input,
): Promise<download.Output> {
  const { account, signature } = proof
  refuseStale(proof, clock.now())
  const statement = { account, message: challenge(tokenId, proof), signature }
  const signed = await ledger.signed(statement)
  if (signed === false) throw new Failure('proof/not-signed', { account })

  const access = existing(tokenId, await ledger.access(tokenId, account))
  admit(access, tokenId, account, clock.now())
  if (signed === undefined && !(await ledger.contractSigned(statement))) {
    throw new Failure('proof/not-signed', { account })
  }

  const context = { registry: ledger.registry, creator: access.source.creator }
  const opened = await cipher.open(await blobStore.get(access.digest), context)
  refuseAltered(access.contentHash, opened.contentHash)
  return opened
}

export declare namespace download {
  type Input = { readonly tokenId: TokenId; readonly proof: Proof }
  type Output = {
    /** The document, byte for byte as it was snapshot. */
    readonly document: Uint8Array
    /** With it anyone can compute the content hash: sha256(salt ‖ document). */
    readonly salt: Salt
    readonly contentHash: Hash
  }
}
