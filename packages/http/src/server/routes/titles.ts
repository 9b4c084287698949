import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Catalogue, tokenId } from '@heirloom/core'
import { anyCatalogueRead, problemResponses } from '../../api/problem-responses.ts'
import { TitlesQuery, TitlesRecord } from '../../api/title-schemas.ts'

const schema = {
  operationId: 'titles',
  tags: ['marketplace'],
  summary: 'Read the titles of several tokens',
  description:
    'Returns the title of the card of each token, to name the tokens of a list of events. A token without a card, erased or never minted has none.',
  querystring: TitlesQuery,
  response: {
    200: TitlesRecord,
    ...problemResponses([...anyCatalogueRead, 'value/invalid']),
  },
}

/** `GET /api/titles` */
export const titlesRoute =
  (catalogue: Pick<Catalogue, 'token'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const titleOf = async (id: string) => {
      const token = await catalogue.token(tokenId(id))
      const title = token?.erasedAt === undefined ? token?.card?.title : undefined
      return { tokenId: id, ...(title !== undefined && { title }) }
    }
    app.get('/api/titles', { schema }, async ({ query }) => ({
      items: await Promise.all(query.tokenIds.split(',').map(titleOf)),
    }))
  }
