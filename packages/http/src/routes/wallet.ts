import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Account, Wei } from '@heirloom/core'
import { anyRead, problems, WalletRecord } from '../schemas.ts'

/** What the agent wallet holds, what today (UTC) has cost or may still cost, and its limits. */
export type WalletState = {
  readonly address: Account
  readonly balance: Wei
  readonly spentToday: Wei
  readonly maxSpendPerCall: Wei | undefined
  readonly maxSpendPerDay: Wei | undefined
}

/** Looks the wallet up; fails with `ledger/unavailable` while the chain does not answer. */
export type AskWallet = () => Promise<WalletState>

const schema = {
  operationId: 'wallet',
  tags: ['server'],
  summary: 'Read what the agent wallet holds, has spent today and may spend',
  description:
    'Asks for an API key when the server has any, for it tells what the agent owns and does.',
  security: [{}, { apiKey: [] }],
  response: { 200: WalletRecord, ...problems([...anyRead, 'request/not-authorized']) },
}

/** `GET /api/wallet` */
export const walletRoute =
  (ask: AskWallet): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/wallet', { schema }, async (_, reply) => {
      const { address, balance, spentToday, maxSpendPerCall, maxSpendPerDay } = await ask()
      return reply.header('cache-control', 'no-store').send({
        address,
        balance: String(balance),
        spentToday: String(spentToday),
        maxSpendPerCall: textOf(maxSpendPerCall),
        maxSpendPerDay: textOf(maxSpendPerDay),
      })
    })
  }

const textOf = (limit: Wei | undefined) => (limit === undefined ? null : String(limit))
