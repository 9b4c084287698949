import { account, Failure, hash } from '@heirloom/core'
import { type Hex, isAddressEqual } from 'viem'

/** Another program's transaction under a nonce of the wallet. */
export type ForeignTransaction = {
  readonly txHash: Hex
  /** `undefined` where it creates a contract. */
  readonly to: Hex | undefined
}

/** Watches whether another program writes to the contracts with the wallet of a lane. */
export type RivalWatch = {
  readonly see: (transaction: ForeignTransaction) => void
  /** Returns the failure of all further writes; `undefined` while nobody else writes. */
  readonly failure: () => Failure<'wallet/shared'> | undefined
  /** @throws `wallet/shared` once somebody else has written */
  readonly requireNone: () => void
}

/**
 * Returns a watch on the writes to some contracts. What else the wallet sends, such as a transfer of
 * its money, is its owner's business.
 */
export function rivalWatch(wallet: Hex, contracts: readonly Hex[]): RivalWatch {
  let failure: Failure<'wallet/shared'> | undefined
  return {
    see: ({ txHash, to }) => {
      if (to === undefined || !contracts.some((it) => isAddressEqual(it, to))) return
      failure ??= new Failure('wallet/shared', { account: account(wallet), txHash: hash(txHash) })
    },
    failure: () => failure,
    requireNone: () => {
      if (failure !== undefined) throw failure
    },
  }
}
