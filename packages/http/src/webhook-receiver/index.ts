export type { NodeReply, NodeRequest } from './node-messages.ts'
export type { Delivery } from './verify-delivery.ts'
export type { HandledEvents } from './webhook-receiver.ts'
export {
  createWebhookReceiver,
  type FastifyScope,
  type ReceiverOptions,
  type WebhookReceiver,
} from './webhook-receiver.ts'
