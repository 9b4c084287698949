import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Catalogue, type Income, toSeconds } from '@heirloom/core'
import { readAddress } from '../../api/address.ts'
import { pageInput, pageQuery, querySchema } from '../../api/catalogue-queries.ts'
import { AccountParams, IncomeRecord, pageRecord } from '../../api/catalogue-schemas.ts'
import { anyRequest, problemResponses } from '../../api/problem-responses.ts'

const schema = {
  operationId: 'income',
  tags: ['marketplace'],
  summary: 'Read each payment that an account received, the newest first',
  description:
    'Its sales, rentals and forks after royalties, and its royalties; `earnings` adds them up. A page may have fewer items than its limit, or none, before the last one: go on until `next` is null.',
  params: AccountParams,
  querystring: querySchema(pageQuery),
  response: {
    200: pageRecord(IncomeRecord, 'Payments.'),
    ...problemResponses([...anyRequest, 'catalogue/unavailable', 'value/invalid']),
  },
}

/** `GET /api/accounts/:address/income` */
export const incomeRoute =
  ({ income }: Pick<Catalogue, 'income'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/accounts/:address/income', { schema }, async ({ params, query }) => {
      const { items, next } = await income(readAddress(params.address), pageInput(query))
      return { items: items.map(printIncome), next: next ?? null }
    })
  }

const printIncome = ({ kind, currency, amount, event, tokenId, txHash, at }: Income) => ({
  ...{ kind, currency, amount: `${amount}`, event, tokenId: `${tokenId}`, txHash },
  timestamp: `${toSeconds(at)}`,
})
