import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Catalogue, type TokenId, tokenId } from '@heirloom/core'
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
  (catalogue: Pick<Catalogue, 'titles'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/titles', { schema }, async ({ query }) => {
      const ids = query.tokenIds.split(',').map(tokenId)
      const found = await catalogue.titles(ids)
      const titles = new Map(found.map((it) => [it.tokenId, it.title]))
      return { items: ids.map((id) => ({ tokenId: `${id}`, ...titleIn(titles, id) })) }
    })
  }

function titleIn(titles: ReadonlyMap<TokenId, string>, id: TokenId) {
  const title = titles.get(id)
  return title === undefined ? {} : { title }
}
