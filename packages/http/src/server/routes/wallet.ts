import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Account, Wei } from '@heirloom/core'
import { anyRead, problemResponses } from '../../api/problem-responses.ts'
import { WalletRecord } from '../../api/wallet-schemas.ts'
import type { ApiKey } from '../api-keys/api-key.ts'

/** The balance of the agent wallet, what it has spent or may still spend today (UTC), and its limits. */
export type WalletState = {
  readonly address: Account
  readonly balance: Wei
  readonly spentToday: Wei
  readonly maxSpendPerCall: Wei | undefined
  readonly maxSpendPerDay: Wei | undefined
  /** The amount spent today under the API key of the request. */
  readonly spentByKey?: Wei | undefined
}

/** Reads the wallet state for an API key. @throws `ledger/unavailable`, `store/unavailable` */
export type ReadWallet = (caller?: ApiKey) => Promise<WalletState>

const schema = {
  operationId: 'wallet',
  tags: ['server'],
  summary: 'Read the balance, the spending of today and the limits of the agent wallet',
  description:
    'Requires an API key if the server has any, because it shows what the agent owns and does.',
  security: [{}, { apiKey: [] }],
  response: {
    200: WalletRecord,
    ...problemResponses([
      ...anyRead,
      'api-key/out-of-scope',
      'request/not-authorized',
      'store/unavailable',
    ]),
  },
}

/** `GET /api/wallet` */
export const walletRoute =
  (readWallet: ReadWallet): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/wallet', { schema }, async ({ caller }, reply) => {
      const state = await readWallet(caller)
      const { address, balance, spentToday, maxSpendPerCall, maxSpendPerDay } = state
      return reply.header('cache-control', 'no-store').send({
        address,
        balance: String(balance),
        spentToday: String(spentToday),
        maxSpendPerCall: textOf(maxSpendPerCall),
        maxSpendPerDay: textOf(maxSpendPerDay),
        ...(caller && { apiKey: printKey(caller, state.spentByKey) }),
      })
    })
  }

const printKey = ({ name, scope, perCall, perDay }: ApiKey, spent: Wei | undefined) => ({
  ...{ name, scope, spentToday: String(spent ?? 0n) },
  ...{ maxSpendPerCall: textOf(perCall), maxSpendPerDay: textOf(perDay) },
})

const textOf = (limit: Wei | undefined) => (limit === undefined ? null : String(limit))
