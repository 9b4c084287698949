import type { Failure } from '@heirloom/core'
import { type ActCall, findRevertReason } from '../ledger/acts/index.ts'
import type { WalletChain } from './open-chain.ts'
import type { Signer } from './sender.ts'

type Parts = {
  readonly chain: Pick<WalletChain, 'client'>
  readonly sender: Pick<Signer, 'address'>
}

/** Returns why a call of an account reverts now; `undefined` if it does not, or names no reason. */
export const revertReasonOf = (
  { chain, sender }: Parts,
  call: ActCall,
): Promise<Failure | undefined> => findRevertReason({ client: chain.client, wallet: sender }, call)
