import { Failure } from '../failure.ts'
import type { Ports } from '../ports/ports.ts'
import { type Proof, refuseStale } from '../tokens/access.ts'
import { proofFailures } from './prove-account.ts'

/** The failures of `proveCreator`. */
export const proveCreatorFailures = proofFailures

/**
 * Verifies that an account asks for a seal in its own name. A contract proves itself by its own code
 * (ERC-1271): through a public router, which cannot, anyone could mint the copied pair.
 *
 * @throws `proof/stale`, `proof/not-signed`, `service/busy`, `ledger/unavailable`
 */
export async function proveCreator(
  { clock, ledger }: Pick<Ports, 'clock' | 'ledger'>,
  { message, ...proof }: proveCreator.Input,
): Promise<void> {
  const { account, signature } = proof
  refuseStale(proof, clock.now())
  if (await ledger.isSignedByCreator({ account, message, signature })) return
  throw new Failure('proof/not-signed', { account })
}

export declare namespace proveCreator {
  type Input = Proof & {
    /** The text that the account signed (EIP-191). */
    readonly message: string
  }
}
