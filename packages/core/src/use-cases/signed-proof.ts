import type { Account } from '../domain/account.ts'
import { type Challenge, challenge, type Proof } from '../domain/proof.ts'
import type { TokenId } from '../domain/token.ts'
import { Failure } from '../failure.ts'
import type { Ledger, Statement } from '../ports/ledger.ts'

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
