import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Account, Wei } from '@heirloom/core'
import type { ApiKey } from '../api-keys/api-key.ts'
import { anyRead, problemResponses, WalletRecord } from '../../api/schemas.ts'

/** What the agent wallet holds, what today (UTC) has cost or may still cost, and its limits. */
export type WalletState = {
  readonly address: Account
  readonly balance: Wei
  readonly spentToday: Wei
  readonly maxSpendPerCall: Wei | undefined
  readonly maxSpendPerDay: Wei | undefined
  /** What was spent today in the name of the API key that asks. */
  readonly spentByKey?: Wei | undefined
}

/** Looks the wallet up for who asks; fails with `ledger/unavailable` while the chain does not answer. */
export type AskWallet = (caller?: ApiKey) => Promise<WalletState>

const schema = {
  operationId: 'wallet',
  tags: ['server'],
  summary: 'Read what the agent wallet holds, has spent today and may spend',
  description:
    'Asks for an API key when the server has any, for it tells what the agent owns and does.',
  security: [{}, { apiKey: [] }],
  response: {
    200: WalletRecord,
    ...problemResponses([...anyRead, 'api-key/out-of-scope', 'request/not-authorized']),
  },
}

/** `GET /api/wallet` */
export const walletRoute =
  (ask: AskWallet): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/wallet', { schema }, async ({ caller }, reply) => {
      const state = await ask(caller)
      const { address, balance, spentToday, maxSpendPerCall, maxSpendPerDay } = state
      return reply.header('cache-control', 'no-store').send({
        address,
        balance: String(balance),
        spentToday: String(spentToday),
        maxSpendPerCall: textOf(maxSpendPerCall),
        maxSpendPerDay: textOf(maxSpendPerDay),
        ...(caller && { apiKey: printed(caller, state.spentByKey) }),
      })
    })
  }

const printed = ({ name, scope, perCall, perDay }: ApiKey, spent: Wei | undefined) => ({
  ...{ name, scope, spentToday: String(spent ?? 0n) },
  ...{ maxSpendPerCall: textOf(perCall), maxSpendPerDay: textOf(perDay) },
})

const textOf = (limit: Wei | undefined) => (limit === undefined ? null : String(limit))
