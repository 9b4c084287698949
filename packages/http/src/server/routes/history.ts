import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Catalogue, requireFound, tokenId } from '@heirloom/core'
import { pageInput, pageQuery, querySchema } from '../../api/catalogue-queries.ts'
import { pageRecord } from '../../api/catalogue-schemas.ts'
import { EventRecord } from '../../api/event-schemas.ts'
import { anyTokenRead, problemResponses } from '../../api/problem-responses.ts'
import { TokenParams } from '../../api/schema-parts.ts'
import { printEvent } from '../printing/print-event.ts'

const schema = {
  operationId: 'history',
  tags: ['memory'],
  summary: 'Read all events of a token, oldest first',
  description:
    'Returns its mint, listings, sales, rentals, forks, royalties and transfers, in pages.',
  params: TokenParams,
  querystring: querySchema(pageQuery),
  response: {
    200: pageRecord(EventRecord, 'Events.'),
    ...problemResponses(anyTokenRead),
  },
}

/** `GET /api/memory/:tokenId/history` */
export const historyRoute =
  ({ history }: Pick<Catalogue, 'history'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/memory/:tokenId/history', { schema }, async ({ params, query }) => {
      const id = tokenId(params.tokenId)
      const { items, next } = requireFound(id, await history(id, pageInput(query)))
      return { items: items.map(printEvent), next: next ?? null }
    })
  }
