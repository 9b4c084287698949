import type { Binding } from '../../api/bound-text.ts'
import { HeirloomError } from '../heirloom-error.ts'
import type { Timers } from '../transport/timers.ts'
import { type Account, createAccessProof } from './access-proof.ts'

/** The account of a client, and the parts that its proofs need. */
export type Prover = {
  readonly account: Account | undefined
  readonly timers: Timers
  /** Returns the binding of proofs for this server, or `undefined` when it does not accept one. */
  readonly readBinding: () => Promise<Binding | undefined>
}

/**
 * Returns the headers that prove to the gate of a token who asks, signed anew for each attempt.
 *
 * @throws `client/no-account`
 */
export function accessHeaders({ account, timers, readBinding }: Prover, tokenId: string) {
  if (account === undefined) throw noAccountError('download')
  return async () => {
    const binding = await readBinding()
    return createAccessProof(account, { tokenId, now: timers.now(), binding })
  }
}

/** Returns the failure of an act that needs an account, where the client has none. */
export const noAccountError = (act: string) =>
  new HeirloomError({
    code: 'client/no-account',
    facts: {},
    message: `No account. A ${act} needs one; set \`account\` in the client options.`,
  })
