export type { ForwardRequest } from './forward-request.ts'
export type { Order, OrderPayment, OrderSettlement } from './order.ts'
export { type Relay, type RelayedAct, type RelayOptions, relayBudget } from './relay.ts'
export type { RelayRules } from './require-relayable.ts'
