import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Catalogue, Dollars, EarningsIn, Wei } from '@heirloom/core'
import { readAddress } from '../../api/address.ts'
import { querySchema } from '../../api/catalogue-queries.ts'
import { AccountParams, EarningsRecord } from '../../api/catalogue-schemas.ts'
import { anyRequest, problemResponses } from '../../api/problem-responses.ts'

const schema = {
  operationId: 'earnings',
  tags: ['marketplace'],
  summary: 'Read what an account has earned',
  description: 'Adds up what the marketplace paid to an account, in wei and in dollars.',
  params: AccountParams,
  querystring: querySchema({}),
  response: {
    200: EarningsRecord,
    ...problemResponses([...anyRequest, 'catalogue/unavailable', 'value/invalid']),
  },
}

/** `GET /api/accounts/:address/earnings` */
export const earningsRoute =
  ({ earnings }: Pick<Catalogue, 'earnings'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/accounts/:address/earnings', { schema }, async ({ params }) => {
      const { dollars, ...inWei } = await earnings(readAddress(params.address))
      return { ...print(inWei), dollars: print(dollars) }
    })
  }

const print = ({ sales, rentals, forks, royalties, credit }: EarningsIn<Wei | Dollars>) => ({
  ...{ sales: `${sales}`, rentals: `${rentals}`, forks: `${forks}` },
  ...{ royalties: `${royalties}`, credit: `${credit}` },
})
