import type { Hex } from '@heirloom/core'
import type { Act, ActResult } from '../ledger/acts/index.ts'
import type { WalletChain } from './open-chain.ts'
import type { OpenOrders, OrderAct } from './open-orders.ts'
import type { Sender } from './sender.ts'
import type { SpendCount } from './spend-limits.ts'

/** An act of a wallet: a call of a contract, or an order in dollars that is yet to be signed. */
export type WalletAct = Act | OrderAct

/** An act that the chain has accepted, and its effects. */
export type Performed = ActResult & { readonly act: WalletAct; readonly txHash: Hex }

/** The parts of a wallet that perform an act. */
export type Performer = {
  readonly chain: WalletChain
  readonly sender: Sender
  /** The amounts spent in wei and in dollars. */
  readonly spending: { readonly native: SpendCount; readonly dollar: SpendCount }
  readonly orders: OpenOrders
  readonly now: () => number
}
