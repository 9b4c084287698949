import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Catalogue, requireFound, tokenId, wei } from '@heirloom/core'
import { decimalParameter, querySchema, read } from '../../api/catalogue-queries.ts'
import { LineageRecord } from '../../api/catalogue-schemas.ts'
import { anyTokenRead, problemResponses } from '../../api/problem-responses.ts'
import { TokenParams } from '../../api/schema-parts.ts'
import { printRelative } from '../printing/print-token.ts'
import { splitRoyalties } from '../printing/split-royalties.ts'

const LineageParameters = querySchema({
  after: decimalParameter(
    'Id that the descendants begin after: that of the last one on the previous page, of 500.',
    '501',
  ),
  price: decimalParameter(
    'The price to split, in wei, or in millionths of a dollar for a token that is listed in dollars. By default the price of the token if it is for sale, else 1 ether or 1 dollar.',
    '1000000000000000000',
  ),
})

const schema = {
  operationId: 'lineage',
  tags: ['memory'],
  summary: 'Read the ancestors and descendants of a token, and who would be paid',
  description:
    'Splits `price`, or the price of the listing when absent, among the creators of the ancestors and the seller.',
  params: TokenParams,
  querystring: LineageParameters,
  response: {
    200: LineageRecord,
    ...problemResponses(anyTokenRead),
  },
}

/** `GET /api/memory/:tokenId/lineage` */
export const lineageRoute =
  (catalogue: Pick<Catalogue, 'lineage'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/memory/:tokenId/lineage', { schema }, async ({ params, query }) => {
      const id = tokenId(params.tokenId)
      const price = read(wei, query.price)
      const lineage = requireFound(id, await catalogue.lineage(id, read(tokenId, query.after)))
      const split = splitRoyalties(lineage, price)
      return {
        ...printRelative(lineage),
        ancestors: lineage.ancestors.map(printRelative),
        descendants: lineage.descendants.map(printRelative),
        isCut: lineage.isCut,
        split: {
          currency: split.currency,
          price: `${split.price}`,
          royalties: split.royalties.map((it) => ({
            ...{ to: it.to, amount: `${it.amount}`, tokenId: `${it.tokenId}` },
          })),
          rest: `${split.rest}`,
        },
      }
    })
  }
