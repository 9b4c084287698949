import { Failure } from '../failure.ts'
import type { Ledger, Statement } from '../ports/ledger.ts'
import type { Ports } from '../ports/ports.ts'
import {
  type Access,
  type Challenge,
  challenge,
  type Proof,
  type Right,
  refuseStale,
} from '../tokens/access.ts'
import type { Account, TokenId } from '../values/branded.ts'

/** The failures of a text that an account must have signed lately, with its key or as a contract. */
export const proofFailures = [
  'ledger/unavailable',
  'proof/not-signed',
  'proof/stale',
  'service/busy',
] as const

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
  const texts = challenges.map((textOf) => textOf(tokenId, proof))
  const isSigned = await ledger.isSignedByKey({ account, message: texts, signature })
  // Where no text is accepted, none is left for a contract to verify.
  if (isSigned === false || texts.length === 0) throw notSigned(account, challenges)
  return isSigned ? [] : texts.map((message) => ({ account, message, signature }))
}

/**
 * Requires that a contract signed one of the statements that only it can verify, if there are any.
 *
 * @throws `proof/not-signed`, `proof/not-bound`, `service/busy`, `ledger/unavailable`
 */
export async function requireContract(
  ledger: Pick<Ledger, 'isSignedByContract'>,
  { proof, challenges, undecided = [] }: Undecided,
): Promise<void> {
  if (undecided.length === 0) return
  for (const statement of undecided) if (await ledger.isSignedByContract(statement)) return
  throw notSigned(proof.account, challenges)
}

type Undecided = Omit<SignedProof, 'tokenId'> & {
  readonly undecided?: readonly Statement[] | undefined
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
 * Returns the right by which an account may read the memory of a token, and what the chain says of the
 * token now.
 *
 * @throws `access/denied`
 */
export type ReaderRight = (of: {
  readonly tokenId: TokenId
  readonly account: Account
}) => Promise<Admitting>

/** A token as the chain has it, for one who may read its memory, and the right to that. */
export type Admitting = { readonly access: Access; readonly right: Right }
