export {
  type ContractPair,
  type DeployedPair,
  findPair,
  type PairSearch,
} from '../contract-pair.ts'
export { callNode, failureIn, isRefusal } from '../node-call.ts'
export type { MintItem } from '../nonce-lane/job.ts'
export { encodeOrder, orderHash } from '../orders/encode-order.ts'
export type { OrderPayment } from '../orders/encode-payment.ts'
export { findOpenSalt, noDeadline } from '../orders/order-series.ts'
export {
  type DollarDomain,
  dollarDomainOf,
  paymentAuthorization,
} from '../orders/payment-authorization.ts'
export { type Reads, reads } from '../reads.ts'
export type { ForwardRequest } from '../relay/forward-request.ts'
export { gasOfOrder } from '../relay/gas-limit.ts'
export { grantId, typedGrant } from '../signatures/typed-grant.ts'
export {
  broadcast,
  findRevertReason,
  miningTimeout,
  prepareTransaction,
  waitForReceipt,
} from '../transaction.ts'
export { dollarBalanceOf } from '../view.ts'
export { actWrites, type MakeAct, type ResultReaders, resultOf } from './act-writes.ts'
export { type ActResult, decodeMint, decodeReceipt } from './decode-receipt.ts'
export { type Act, type ActCall, type ActKind, encodeAct, type Inheritance } from './encode-act.ts'
export { findTaker, nonceOf, type Taker } from './find-taker.ts'
export {
  type Fate,
  type ForwardedCall,
  fateIn,
  findForwarded,
  nonceAtForwarder,
  requestToSign,
  simulateForwarded,
} from './forwarded.ts'
export { logsOfAct } from './logs-of-act.ts'
export {
  decodeOrder,
  findOrder,
  isOrderOpen,
  isOrderSettled,
  type PlacedOrder,
} from './placed-order.ts'
export { type HeirReading, readHeirPlan } from './read-heir-plan.ts'
export { creditOf, dollarCreditOf, type Holdings, readHoldings } from './read-holdings.ts'
