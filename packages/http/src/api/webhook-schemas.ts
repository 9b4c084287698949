import { decimalPattern } from '@heirloom/core'
import { type Static, Type } from '@sinclair/typebox'
import { kinds } from './event-schemas.ts'
import { decimal } from './schemas.ts'

const Url = Type.String({
  maxLength: 2048,
  description: 'Where events are sent: an http or https address without name and password.',
  examples: ['https://example.com/heirloom'],
})
const Id = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'Names the webhook.',
  examples: ['8e03978e-40d5-43dd-bc93-6894a57f9324'],
})
const KindName = Type.Unsafe<(typeof kinds)[number]>({
  type: 'string',
  enum: [...kinds],
  examples: ['sale'],
})
const TokenWanted = Type.String({
  pattern: decimalPattern,
  description: 'The only token to tell of.',
  examples: ['1'],
})

export const WebhookParams = Type.Object({ id: Id })

export const WebhookBody = Type.Object(
  {
    url: Url,
    kinds: Type.Optional(
      Type.Array(KindName, {
        minItems: 1,
        maxItems: kinds.length,
        uniqueItems: true,
        description: 'The kinds of events to tell of; all of them when absent.',
      }),
    ),
    tokenId: Type.Optional(TokenWanted),
  },
  { additionalProperties: false },
)
export type WebhookBody = Static<typeof WebhookBody>

export const WebhookMade = Type.Object(
  {
    id: Id,
    url: Url,
    secret: Type.String({
      description: 'What deliveries are signed with. It is not told again.',
      examples: ['5f'.repeat(32)],
    }),
  },
  { description: 'It is told of what happens from now on.' },
)

const Failing = Type.Object(
  {
    attempts: Type.Integer({
      description: 'How often the next event was sent in vain.',
      examples: [3],
    }),
    nextAt: decimal('When it is sent again, in seconds since the Unix epoch.', '1767225600'),
    problem: Type.String({ description: 'Why.', examples: ['answered with status 500'] }),
  },
  { description: 'What keeps it from the next event; null while all is well.' },
)

export const WebhookList = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        id: Id,
        url: Url,
        kinds: Type.Union([Type.Array(KindName), Type.Null()]),
        tokenId: Type.Union([TokenWanted, Type.Null()]),
        delivered: Type.Union([
          Type.String({
            description: 'The id of the last event that it took.',
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
