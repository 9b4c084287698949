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
export { type RelayRules, requirePrice, requireRefundee } from './require-relayable.ts'
