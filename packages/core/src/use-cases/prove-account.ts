import { Failure } from '../failure.ts'
import type { Ledger, Statement } from '../ports/ledger.ts'
import type { Ports } from '../ports/ports.ts'
import {
  type Access,
  type Challenge,
  challenge,
  type Proof,
  refuseStale,
} from '../tokens/access.ts'
import type { Account, TokenId } from '../values/branded.ts'

/**
 * Verifies the proof of an account that has no right to the token yet. That of a contract passes: only
 * a download asks a contract, once its account has the right.
 *
 * @throws `proof/stale`, `proof/not-signed`, `proof/not-bound`, `ledger/unavailable`
 */
export async function proveAccount(
  { clock, ledger }: Pick<Ports, 'clock' | 'ledger'>,
  { tokenId, proof, challenges = [challenge] }: proveAccount.Input,
): Promise<void> {
  refuseStale(proof, clock.now())
  await statementsForContracts(ledger, { tokenId, proof, challenges })
}

export declare namespace proveAccount {
  type Input = ReaderProof
}

/** A proof for a token, and the texts that its account may have signed. */
export type SignedProof = {
  readonly tokenId: TokenId
  readonly proof: Proof
  readonly challenges: readonly Challenge[]
}

/**
 * Returns the statements that only a contract can verify; none when the account signed one of them.
 *
 * @throws `proof/not-signed`, `proof/not-bound`
 */
export async function statementsForContracts(
  ledger: Pick<Ledger, 'isSignedByKey'>,
  { tokenId, proof, challenges }: SignedProof,
): Promise<readonly Statement[]> {
  const { account, signature } = proof
  const undecided: Statement[] = []
  for (const textOf of challenges) {
    const statement = { account, message: textOf(tokenId, proof), signature }
    const signed = await ledger.isSignedByKey(statement)
    if (signed === true) return []
    if (signed === undefined) undecided.push(statement)
  }
  if (undecided.length === 0) throw notSigned(account, challenges)
  return undecided
}

/** Returns the failure of an account that signed none of the texts. */
export function notSigned(account: Account, challenges: readonly Challenge[]): Failure {
  const code = challenges.includes(challenge) ? 'proof/not-signed' : 'proof/not-bound'
  return new Failure(code, { account })
}

/** A proof that an account may open the memory of a token. */
export type ReaderProof = {
  readonly tokenId: TokenId
  readonly proof: Proof
  /** The accepted texts, tried in this order; only the challenge of the interface when absent. */
  readonly challenges?: readonly Challenge[]
  /** The right that the reader claims; that of the owner or of a renter when absent. */
  readonly right?: ReaderRight | undefined
}

/**
 * Returns what the chain says of a token that an account may read by some right, as it is now.
 *
 * @throws `access/denied`
 */
export type ReaderRight = (of: {
  readonly tokenId: TokenId
  readonly account: Account
}) => Promise<Access>
