export {
  domainOfForwarder,
  type ForwardRequest,
  forwardRequestTypes,
} from './forward-request.ts'
export {
  type Relay,
  type RelayedAct,
  type RelayOptions,
  relayBudget,
  type SettledOrder,
} from './relay.ts'
export { requirePrice } from './require-price.ts'
export { requireRefundee } from './require-refundee.ts'
export type { RelayRules } from './require-relayable.ts'
