export {
  type Account,
  isProvider,
  type Provider,
  type SigningAccount,
  type WalletAccount,
} from './account.ts'
export { type ActStore, actsInMemory, markOf, type StoredAct } from './act-store.ts'
export { type Actor, ledgerFor } from './actor.ts'
export { confirmSent } from './confirm-sent.ts'
export { createActor } from './create-actor.ts'
export { effectsIn } from './effects-in.ts'
export { localSender } from './local-sender.ts'
export { openChain, type WalletChain } from './open-chain.ts'
export { createOpenOrders, type OrderAct, type StoredOrder } from './open-orders.ts'
export { acquireInDollars, royaltyInDollars } from './order-acts.ts'
export { ownSender } from './own-sender.ts'
export type { Performed, Performer, WalletAct } from './perform.ts'
export { encodeTypedData, providerSender } from './provider-sender.ts'
export { type Quote, quotingActor } from './quote-act.ts'
export { relaySender } from './relay-sender.ts'
export { fateInReceipt, isUsedUp, type PostAct } from './relay-signed.ts'
export type { Sender } from './sender.ts'
export type { SentActs } from './sent-acts.ts'
export { numberOrder, signPayment } from './sign-order.ts'
export { signRequest } from './sign-request.ts'
export { encodePayment, type SignedAct } from './signed-act.ts'
export { createSpendCount, type SpendLimits } from './spend-limits.ts'
export { WalletError } from './wallet-error.ts'
export { endOf, tokenOf, type WalletLedger } from './wallet-ledger.ts'
export {
  memoryStore,
  type OrderStore,
  type Spending,
  type SpendStore,
  spendingInMemory,
  type WalletName,
  type WalletStore,
} from './wallet-store.ts'
