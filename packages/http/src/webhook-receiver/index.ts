export type { Delivery } from './delivery.ts'
export type { HandledEvents } from './handled-events.ts'
export type { NodeReply, NodeRequest } from './node-messages.ts'
export {
  createWebhookReceiver,
  type FastifyScope,
  type ReceiverOptions,
  type WebhookReceiver,
} from './webhook-receiver.ts'
