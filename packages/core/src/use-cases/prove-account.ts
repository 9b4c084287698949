import { challenge, refuseStale } from '../domain/proof.ts'
import type { Ports } from '../ports/ports.ts'
import type { download } from './download.ts'
import { statementsForContracts } from './signed-proof.ts'

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
  type Input = Pick<download.Input, 'tokenId' | 'proof' | 'challenges'>
}
