import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Catalogue, type EventKind, tokenId } from '@heirloom/core'
import { readAddress } from '../../api/address.ts'
import { ActivityParameters, pageInput, read, splitList } from '../../api/catalogue-queries.ts'
import { pageRecord } from '../../api/catalogue-schemas.ts'
import { EventRecord } from '../../api/event-schemas.ts'
import { anyCatalogueRead, problemResponses } from '../../api/problem-responses.ts'
import { printEvent } from '../printing/print-event.ts'

const schema = {
  operationId: 'activity',
  tags: ['marketplace'],
  summary: 'Read what happened, newest first',
  description:
    'Returns the events of all tokens or of one, or those that name an account or are of some kinds. A page ends after 20,000 searched events, so one of an account or of kinds may have fewer items than its limit, or none, before the end.',
  querystring: ActivityParameters,
  response: {
    200: pageRecord(EventRecord, 'Events.'),
    ...problemResponses([...anyCatalogueRead, 'value/invalid']),
  },
}

/** `GET /api/activity` */
export const activityRoute =
  ({ activity }: Pick<Catalogue, 'activity'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/activity', { schema }, async ({ query }) => {
      const filter = {
        account: read(readAddress, query.account),
        tokenId: read(tokenId, query.token),
        kinds: splitList<EventKind>(query.kind),
      }
      const { items, next } = await activity({ ...pageInput(query), ...filter })
      return { items: items.map(printEvent), next: next ?? null }
    })
  }
