import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Catalogue, type Earning, toSeconds } from '@heirloom/core'
import { readAddress } from '../../api/address.ts'
import { pageInput, pageQuery, querySchema } from '../../api/catalogue-queries.ts'
import { AccountParams, EarningRecord, pageRecord } from '../../api/catalogue-schemas.ts'
import { anyRequest, problemResponses } from '../../api/problem-responses.ts'

const schema = {
  operationId: 'eachEarning',
  tags: ['marketplace'],
  summary: 'Read each payment that an account received, the newest first',
  description:
    'Its sales, rentals and forks after royalties, and its royalties; `earnings` adds them up. A page may have fewer items than its limit, or none, before the last one: go on until `next` is null.',
  params: AccountParams,
  querystring: querySchema(pageQuery),
  response: {
    200: pageRecord(EarningRecord, 'Payments.'),
    ...problemResponses([...anyRequest, 'catalogue/unavailable', 'value/invalid']),
  },
}

/** `GET /api/accounts/:address/earnings/each` */
export const eachEarningRoute =
  ({ eachEarning }: Pick<Catalogue, 'eachEarning'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/accounts/:address/earnings/each', { schema }, async ({ params, query }) => {
      const { items, next } = await eachEarning(readAddress(params.address), pageInput(query))
      return { items: items.map(printEarning), next: next ?? null }
    })
  }

const printEarning = ({ kind, currency, amount, event, tokenId, txHash, at }: Earning) => ({
  ...{ kind, currency, amount: `${amount}`, event, tokenId: `${tokenId}`, txHash },
  timestamp: `${toSeconds(at)}`,
})
