import { Type } from '@sinclair/typebox'
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
