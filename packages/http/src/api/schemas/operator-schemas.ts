import { decimalPattern, type EventKind, eventKinds } from '@heirloom/core'
import { type Static, Type } from '@sinclair/typebox'
import { address, decimal, flag, integer, orNull, text, wei } from './schema-parts.ts'

const TenantState = Type.Object(
  {
    name: text('Name of the tenant.', 'shop'),
    address: address('Address of its wallet.'),
    isActive: flag('False while it is being removed.', true),
    balance: orNull(wei('Balance', 'null while the chain does not answer')),
    spentToday: orNull(wei('Spent today (UTC)', 'null while the chain does not answer')),
    maxSpendPerCall: orNull(wei('Spending limit of one call', 'null for none')),
    maxSpendPerDay: orNull(wei('Spending limit of one day (UTC)', 'null for none')),
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
    message: text('Message of the log.', 'not ready'),
    cause: Type.Optional(
      text('The failure behind it.', 'The chain did not answer; try again when it is back.'),
    ),
    requestId: Type.Optional(text('Id of the request that it came from.', 'req-1')),
  },
  { title: 'LoggedFailure' },
)

/** The state of a server that only its operator sees. */
export const OperatorRecord = Type.Object(
  {
    version: text('Version of the program.', '0.2.0'),
    commit: orNull(Type.String({ examples: ['1a2b3c4d'] }), {
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
    secret: text('Secret that signs the deliveries; it is not shown again.', '5f'.repeat(32)),
  },
  { description: 'The webhook, which receives events from now on.' },
)

const Failing = Type.Object(
  {
    attempts: integer('Failed deliveries of the next event.', 3),
    nextAt: decimal('Time of the next attempt, in seconds since the Unix epoch.', '1767225600'),
    problem: text('Reason of the failure.', 'answered with status 500'),
  },
  { description: 'The failed delivery that blocks further events; null when there is none.' },
)

export const WebhookList = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        id: Id,
        url: Url,
        kinds: orNull(Type.Array(KindName)),
        tokenId: orNull(TokenFilter),
        delivered: orNull(text('Id of the last delivered event.', '12-3-9f86d081')),
        failing: orNull(Failing),
      }),
    ),
  },
  { description: 'All webhooks, without their secrets.' },
)
