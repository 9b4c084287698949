import { admit } from '../domain/access.ts'
import { refuseAltered } from '../domain/bundle.ts'
import type { Digest, Hash, Salt } from '../domain/hash.ts'
import { type Challenge, challenge, type Proof, refuseStale } from '../domain/proof.ts'
import { refuseCopy } from '../domain/seal-context.ts'
import { requireFound, type TokenId } from '../domain/token.ts'
import type { Ledger, Statement } from '../ports/ledger.ts'
import type { Ports } from '../ports/ports.ts'
import { notSigned, statementsForContracts } from './signed-proof.ts'

/**
 * Opens the memory of a token for its owner or an active renter. Calls a contract wallet last, so
 * that nobody without a right to the token can make it run. Refuses a memory that was not sealed
 * for the creator of the token's source in this registry: such a token is a copy.
 *
 * @throws `proof/stale`, `proof/not-signed`, `proof/not-bound`, `token/not-found`, `access/denied`,
 * `access/copied`, `blob/not-found`, `blob/corrupt`, `blob/unavailable`, `bundle/unreadable`,
 * `bundle/altered`, `ledger/unavailable`, `service/busy`
 */
export async function download(
  { blobStore, cipher, clock, ledger }: Ports,
  { tokenId, proof, challenges = [challenge], beforeOpening }: download.Input,
): Promise<download.Output> {
  const { account } = proof
  refuseStale(proof, clock.now())
  const undecided = await statementsForContracts(ledger, { tokenId, proof, challenges })

  const access = requireFound(tokenId, await ledger.access(tokenId, account))
  admit(access, tokenId, account, clock.now())
  const context = { registry: ledger.registry, creator: access.source.creator }
  if (undecided.length > 0) {
    // Anyone can mint a copy to a contract wallet, so refuse copies before the contract runs.
    refuseCopy(cipher.inspect(await blobStore.head(access.digest)).context, context)
    if (!(await isContractSigned(ledger, undecided))) throw notSigned(account, challenges)
  }

  await beforeOpening?.(access.digest)
  const opened = await cipher.open(await blobStore.get(access.digest), context)
  refuseAltered(access.contentHash, opened.contentHash)
  return opened
}

async function isContractSigned(
  ledger: Ledger,
  statements: readonly Statement[],
): Promise<boolean> {
  for (const statement of statements) if (await ledger.isSignedByContract(statement)) return true
  return false
}

export declare namespace download {
  type Input = {
    readonly tokenId: TokenId
    readonly proof: Proof
    /** The accepted texts, tried in this order; only the challenge of the interface when absent. */
    readonly challenges?: readonly Challenge[]
    /** Runs after the right is verified and before the memory is opened; may throw to refuse. */
    readonly beforeOpening?: ((digest: Digest) => Promise<void>) | undefined
  }
  type Output = {
    /** The document, byte for byte as it was in the snapshot. */
    readonly document: Uint8Array
    /** The salt, with which anyone can verify the content hash: sha256(salt ‖ document). */
    readonly salt: Salt
    readonly contentHash: Hash
  }
}
