export { encodeBatch, offersBatches, readCalls, sendCalls } from '../ledger/orders/batch.ts'
export { type Actor, ledgerFor } from './actor.ts'
export { createActor } from './create-actor.ts'
export { openChain, type WalletChain } from './open-chain.ts'
export {
  createOpenOrders,
  type OrderAct,
  type OrderStore,
  type StoredOrder,
} from './open-orders.ts'
export { acquireInDollars, royaltyInDollars } from './order-acts.ts'
export { localSender, ownSender } from './own-sender.ts'
export { effectsIn } from './perform.ts'
export type { Performed, Performer, WalletAct } from './performer.ts'
export { encodeTypedData, providerSender } from './provider-sender.ts'
export { type Quote, quotingActor } from './quote-act.ts'
export { fateInReceipt, isUsedUp, type PostAct, relaySender } from './relay-sender.ts'
export {
  type Account,
  isProvider,
  type Provider,
  type Sender,
  type SigningAccount,
  type WalletAccount,
} from './sender.ts'
export { confirmSent, type SentActs } from './sent-acts.ts'
export { numberOrder, signPayment, signRequest } from './sign-order.ts'
export { encodePayment, type RelayRequest, type SignedAct } from './signed-act.ts'
export {
  createSpendCount,
  type Spending,
  type SpendLimits,
  type SpendStore,
  spendingInMemory,
} from './spend-limits.ts'
export { WalletError } from './wallet-error.ts'
export { endOf, tokenOf, type WalletLedger } from './wallet-ledger.ts'
export {
  type ActStore,
  actsInMemory,
  markOf,
  memoryStore,
  type StoredAct,
  type WalletName,
  type WalletStore,
} from './wallet-store.ts'
