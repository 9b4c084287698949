import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Catalogue, requireFound, tokenId, wei } from '@heirloom/core'
import { decimalIn, queryOf, read } from '../../api/catalogue-queries.ts'
import { LineageRecord } from '../../api/catalogue-schemas.ts'
import { anyCatalogueRead, problems, TokenParams } from '../../api/schemas.ts'
import { printedRelative } from '../printing/printed-token.ts'
import { royaltySplit } from '../printing/royalty-split.ts'

const LineageParameters = queryOf({
  price: decimalIn(
    'The price to split, in wei; its price when it is for sale, or else 1 ether, when absent.',
    '1000000000000000000',
  ),
})

const schema = {
  operationId: 'lineage',
  tags: ['memory'],
  summary: 'Read where a token comes from, what came of it, and who would be paid',
  params: TokenParams,
  querystring: LineageParameters,
  response: {
    200: LineageRecord,
    ...problems([...anyCatalogueRead, 'token/not-found', 'value/invalid']),
  },
}

/** `GET /api/memory/:tokenId/lineage` */
export const lineageRoute =
  (catalogue: Pick<Catalogue, 'lineage'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/memory/:tokenId/lineage', { schema }, async ({ params, query }) => {
      const id = tokenId(params.tokenId)
      const price = read(wei, query.price)
      const lineage = requireFound(id, await catalogue.lineage(id))
      const split = royaltySplit(lineage, price)
      return {
        ...printedRelative(lineage),
        ancestors: lineage.ancestors.map(printedRelative),
        descendants: lineage.descendants.map(printedRelative),
        isCut: lineage.isCut,
        split: {
          price: `${split.price}`,
          royalties: split.royalties.map((it) => ({
            ...{ to: it.to, amount: `${it.amount}`, tokenId: `${it.tokenId}` },
          })),
          rest: `${split.rest}`,
        },
      }
    })
  }
