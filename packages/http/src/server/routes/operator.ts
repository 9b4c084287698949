import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Account, Wei } from '@heirloom/core'
import { OperatorRecord } from '../../api/operator-schemas.ts'
import { anyRequest, problemResponses } from '../../api/problem-responses.ts'
import { version } from '../../api/version.ts'
import { commit } from '../../build-commit.ts'
import type { LoggedFailure } from '../../observability/recent-failures.ts'

/** A tenant and its wallet, as far as the chain answers. */
export type TenantState = {
  readonly name: string
  readonly address: Account
  readonly isActive: boolean
  /** Absent while the chain does not answer. */
  readonly wallet: { readonly balance: Wei; readonly spentToday: Wei } | undefined
  readonly limits: { readonly perCall: Wei | undefined; readonly perDay: Wei | undefined }
}

/** The parts that tell an operator of the server. */
export type OperatorParts = {
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly readTenants: () => Promise<readonly TenantState[]>
  readonly failures: () => readonly LoggedFailure[]
}

const schema = {
  operationId: 'operator',
  tags: ['server'],
  summary: 'Read the tenants and the last failures of the server',
  description:
    'Requires an API key with the scope admin if the server has any, and none of a tenant. The page shows it at /operate, with the wallet, the health, the metrics and the webhooks.',
  security: [{}, { apiKey: [] }],
  response: {
    200: OperatorRecord,
    ...problemResponses([
      ...anyRequest,
      'api-key/out-of-scope',
      'request/not-authorized',
      'store/unavailable',
    ]),
  },
}

/** `GET /api/operator` */
export const operatorRoute =
  ({ startedAt, readTenants, failures }: OperatorParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/operator', { schema }, async (_, reply) => {
      const tenants = (await readTenants()).map(printTenant)
      return reply.header('cache-control', 'no-store').send({
        ...{ version: version(), commit: commit ?? null, startedAt: `${startedAt}`, tenants },
        failures: failures().map((failure) => ({ ...failure, at: `${failure.at}` })),
      })
    })
  }

const printTenant = ({ name, address, isActive, wallet, limits }: TenantState) => ({
  ...{ name, address, isActive },
  ...{ balance: textOf(wallet?.balance), spentToday: textOf(wallet?.spentToday) },
  ...{ maxSpendPerCall: textOf(limits.perCall), maxSpendPerDay: textOf(limits.perDay) },
})

const textOf = (amount: Wei | undefined) => (amount === undefined ? null : `${amount}`)
