import { admit } from '../domain/access.ts'
import type { Account } from '../domain/account.ts'
import { refuseAltered } from '../domain/bundle.ts'
import type { Digest, Hash, Salt } from '../domain/hash.ts'
import { type Challenge, challenge, type Proof, refuseStale } from '../domain/proof.ts'
import { refuseCopy } from '../domain/seal-context.ts'
import { existing, type TokenId } from '../domain/token.ts'
import { Failure } from '../failure.ts'
import type { Ledger, Statement } from '../ports/ledger.ts'
import type { Ports } from '../ports/ports.ts'

/**
 * Opens the memory of a token for its owner or an active renter. A contract that stands for an
 * account is asked last: whoever has no right to the token cannot make it work. The memory must
 * have been sealed for the creator of the token's source, in this registry: a token that shows a
 * copy opens nothing.
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
  const left = await leftToContracts(ledger, { tokenId, proof, challenges })

  const access = existing(tokenId, await ledger.access(tokenId, account))
  admit(access, tokenId, account, clock.now())
  const context = { registry: ledger.registry, creator: access.source.creator }
  if (left.length > 0) {
    // Anyone can mint a copy to a contract, so that is settled before the contract is asked.
    refuseCopy(cipher.inspect(await blobStore.head(access.digest)).context, context)
    if (!(await isSigned(ledger, left))) throw notSigned(account, challenges)
  }

  await beforeOpening?.(access.digest)
  const opened = await cipher.open(await blobStore.get(access.digest), context)
  refuseAltered(access.contentHash, opened.contentHash)
  return opened
}

/** Returns what only a contract can say to be signed; nothing when an account signed one of the texts. */
async function leftToContracts(
  ledger: Ledger,
  {
    tokenId,
    proof,
    challenges,
  }: Required<Pick<download.Input, 'tokenId' | 'proof' | 'challenges'>>,
): Promise<readonly Statement[]> {
  const { account, signature } = proof
  const left: Statement[] = []
  for (const textOf of challenges) {
    const statement = { account, message: textOf(tokenId, proof), signature }
    const signed = await ledger.signed(statement)
    if (signed === true) return []
    if (signed === undefined) left.push(statement)
  }
  if (left.length === 0) throw notSigned(account, challenges)
  return left
}

async function isSigned(ledger: Ledger, statements: readonly Statement[]): Promise<boolean> {
  for (const statement of statements) if (await ledger.contractSigned(statement)) return true
  return false
}

function notSigned(account: Account, challenges: readonly Challenge[]): Failure {
  const code = challenges.includes(challenge) ? 'proof/not-signed' : 'proof/not-bound'
  return new Failure(code, { account })
}

export declare namespace download {
  type Input = {
    readonly tokenId: TokenId
    readonly proof: Proof
    /** The texts of which one must be signed, tried in this order; the interface's own when absent. */
    readonly challenges?: readonly Challenge[]
    /** Is called once the right is clear, before the memory under a digest is opened; may refuse. */
    readonly beforeOpening?: ((digest: Digest) => Promise<void>) | undefined
  }
  type Output = {
    /** The document, byte for byte as it was snapshot. */
    readonly document: Uint8Array
    /** With it anyone can compute the content hash: sha256(salt ‖ document). */
    readonly salt: Salt
    readonly contentHash: Hash
  }
}
