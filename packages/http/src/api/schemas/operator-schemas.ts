import { decimalPattern, type EventKind, eventKinds } from '@heirloom/core'
import { type Static, Type } from '@sinclair/typebox'
import { address, decimal, wei } from './schema-parts.ts'

const nullable = (schema: ReturnType<typeof wei>) => Type.Union([schema, Type.Null()])

const TenantState = Type.Object(
  {
    name: Type.String({ description: 'Name of the tenant.', examples: ['shop'] }),
    address: address('Address of its wallet.'),
    isActive: Type.Boolean({ description: 'False while it is being removed.', examples: [true] }),
    balance: nullable(wei('Balance', 'null while the chain does not answer')),
    spentToday: nullable(wei('Spent today (UTC)', 'null while the chain does not answer')),
    maxSpendPerCall: nullable(wei('Spending limit of one call', 'null for none')),
    maxSpendPerDay: nullable(wei('Spending limit of one day (UTC)', 'null for none')),
  },
  { title: 'TenantState' },
)

const LoggedFailure = Type.Object(
  {
    at: decimal('Time, in milliseconds since the Unix epoch.', '1767225600000'),
    level: Type.Union([Type.Literal('warn'), Type.Literal('error'), Type.Literal('fatal')], {
      description: 'Level in the log.',
      examples: ['warn'],
    }),
    message: Type.String({ description: 'Message of the log.', examples: ['not ready'] }),
    cause: Type.Optional(
      Type.String({
        description: 'The failure behind it.',
        examples: ['The chain did not answer; try again when it is back.'],
      }),
    ),
    requestId: Type.Optional(
      Type.String({ description: 'Id of the request that it came from.', examples: ['req-1'] }),
    ),
  },
  { title: 'LoggedFailure' },
)

/** The state of a server that only its operator sees. */
export const OperatorRecord = Type.Object(
  {
    version: Type.String({ description: 'Version of the program.', examples: ['0.2.0'] }),
    commit: Type.Union([Type.String({ examples: ['1a2b3c4d'] }), Type.Null()], {
      description: 'Commit that it was built from; null where it was not built.',
    }),
    startedAt: decimal('Time of the start, in milliseconds since the Unix epoch.', '1767225600000'),
    tenants: Type.Array(TenantState, { description: 'The tenants, with their wallets.' }),
    failures: Type.Array(LoggedFailure, {
      description:
        'The last warnings and errors of the log since the start, newest first, at most 50.',
    }),
  },
  { description: 'The tenants and the last failures of this server.' },
)

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
