import type { Webhook, Webhooks } from '@heirloom/adapters/webhooks'
import { type Account, tokenId, type Wei } from '@heirloom/core'
import type { webhookOperations } from '../../api/operations/server.ts'
import { read } from '../../api/schemas/catalogue-queries.ts'
import { version } from '../../api/version.ts'
import { commit } from '../../build-commit.ts'
import type { LoggedFailure } from '../../observability/recent-failures.ts'
import { textOf } from './accounts.ts'
import type { Handler, Handlers } from './serve-operation.ts'

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

/** Returns the handler of what an operator looks at. */
export const operatorHandler =
  ({ startedAt, readTenants, failures }: OperatorParts): Handler<'operator'> =>
  async (_, reply) => {
    const tenants = (await readTenants()).map(encodeTenant)
    reply.header('cache-control', 'no-store')
    return {
      version: version(),
      commit: commit ?? null,
      startedAt: `${startedAt}`,
      tenants,
      failures: failures().map((failure) => ({ ...failure, at: `${failure.at}` })),
    }
  }

const encodeTenant = ({ name, address, isActive, wallet, limits }: TenantState) => ({
  name,
  address,
  isActive,
  balance: textOf(wallet?.balance),
  spentToday: textOf(wallet?.spentToday),
  maxSpendPerCall: textOf(limits.perCall),
  maxSpendPerDay: textOf(limits.perDay),
})

/** The largest body of the registration of a webhook, in bytes. */
export const webhookBodyLimit = 16_384

/** Returns the handlers of webhooks. */
export const webhookHandlers = ({
  add,
  all,
  remove,
}: Pick<Webhooks, 'add' | 'all' | 'remove'>): Handlers<keyof typeof webhookOperations> => ({
  addWebhook: async ({ body }, reply) => {
    const { url, kinds } = body
    const added = await add({ url, kinds, tokenId: read(tokenId, body.tokenId) })
    reply.header('cache-control', 'no-store')
    return { id: added.id, url: added.url, secret: added.secret }
  },
  webhooks: async (_, reply) => {
    const items = (await all()).map(encodeWebhook)
    reply.header('cache-control', 'no-store')
    return { items }
  },
  removeWebhook: async ({ params }) => {
    await remove(params.id)
    return null
  },
})

const encodeWebhook = ({ id, url, kinds, tokenId: about, delivered, failing }: Webhook) => ({
  id,
  url,
  kinds: kinds === undefined ? null : [...kinds],
  tokenId: about === undefined ? null : `${about}`,
  delivered: delivered ?? null,
  failing: failing === undefined ? null : encodeFailing(failing),
})

const encodeFailing = ({ attempts, nextAt, problem }: NonNullable<Webhook['failing']>) => ({
  attempts,
  nextAt: `${Math.ceil(nextAt / 1000)}`,
  problem,
})
