import { decimalPattern, type EventKind, eventKinds } from '@heirloom/core'
import { type Static, Type } from '@sinclair/typebox'
import { decimal } from './schema-parts.ts'

const Url = Type.String({
  maxLength: 2048,
  description: 'URL that receives the events: http or https, without credentials.',
  examples: ['https://example.com/heirloom'],
})
const Id = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'Id of the webhook.',
  examples: ['8e03978e-40d5-43dd-bc93-6894a57f9324'],
})
const KindName = Type.Unsafe<EventKind>(Type.String({ enum: [...eventKinds], examples: ['sale'] }))
const TokenFilter = Type.String({
  pattern: decimalPattern,
  description: 'Only events of this token.',
  examples: ['1'],
})

export const WebhookParams = Type.Object({ id: Id })

export const WebhookBody = Type.Object(
  {
    url: Url,
    kinds: Type.Optional(
      Type.Array(KindName, {
        minItems: 1,
        maxItems: eventKinds.length,
        uniqueItems: true,
        description: 'Kinds of events to send; all when absent.',
      }),
    ),
    tokenId: Type.Optional(TokenFilter),
  },
  { additionalProperties: false },
)
export type WebhookBody = Static<typeof WebhookBody>

export const WebhookMade = Type.Object(
  {
    id: Id,
    url: Url,
    secret: Type.String({
      description: 'Secret that signs the deliveries; it is not shown again.',
      examples: ['5f'.repeat(32)],
    }),
  },
  { description: 'The webhook, which receives events from now on.' },
)

const Failing = Type.Object(
  {
    attempts: Type.Integer({
      description: 'Failed deliveries of the next event.',
      examples: [3],
    }),
    nextAt: decimal('Time of the next attempt, in seconds since the Unix epoch.', '1767225600'),
    problem: Type.String({
      description: 'Reason of the failure.',
      examples: ['answered with status 500'],
    }),
  },
  { description: 'The failed delivery that blocks further events; null when there is none.' },
)

export const WebhookList = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        id: Id,
        url: Url,
        kinds: Type.Union([Type.Array(KindName), Type.Null()]),
        tokenId: Type.Union([TokenFilter, Type.Null()]),
        delivered: Type.Union([
          Type.String({
            description: 'Id of the last delivered event.',
            examples: ['12-3-9f86d081'],
          }),
          Type.Null(),
        ]),
        failing: Type.Union([Failing, Type.Null()]),
      }),
    ),
  },
  { description: 'All webhooks, without their secrets.' },
)
