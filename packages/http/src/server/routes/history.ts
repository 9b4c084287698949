import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Catalogue, requireFound, tokenId } from '@heirloom/core'
import { pageInput, pageQuery, queryOf } from '../../api/catalogue-queries.ts'
import { pageRecord } from '../../api/catalogue-schemas.ts'
import { EventRecord } from '../../api/event-schemas.ts'
import { anyCatalogueRead, problems, TokenParams } from '../../api/schemas.ts'
import { printedEvent } from '../printing/printed-event.ts'

const schema = {
  operationId: 'history',
  tags: ['memory'],
  summary: 'Read all that happened to a token, oldest first',
  params: TokenParams,
  querystring: queryOf(pageQuery),
  response: {
    200: pageRecord(EventRecord, 'Events.'),
    ...problems([...anyCatalogueRead, 'token/not-found', 'value/invalid']),
  },
}

/** `GET /api/memory/:tokenId/history` */
export const historyRoute =
  ({ history }: Pick<Catalogue, 'history'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/memory/:tokenId/history', { schema }, async ({ params, query }) => {
      const id = tokenId(params.tokenId)
      const { items, next } = requireFound(id, await history(id, pageInput(query)))
      return { items: items.map(printedEvent), next: next ?? null }
    })
  }
