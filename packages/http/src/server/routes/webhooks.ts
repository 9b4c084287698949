import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Webhook, Webhooks } from '@heirloom/adapters/webhooks'
import { tokenId } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { querySchema, read } from '../../api/catalogue-queries.ts'
import { anyBody, anyRequest, problemResponses } from '../../api/schemas.ts'
import { WebhookBody, WebhookList, WebhookMade, WebhookParams } from '../../api/webhook-schemas.ts'

/** What may go wrong with any of the three. */
const anyCall = [
  ...anyRequest,
  'api-key/out-of-scope',
  'request/not-authorized',
  'webhook/unavailable',
] as const

const keyed = {
  tags: ['events'],
  security: [{}, { apiKey: [] }],
  querystring: querySchema({}),
}

const adding = {
  ...keyed,
  operationId: 'addWebhook',
  summary: 'Have events sent to an address',
  description:
    'Each event is sent in its order until it is taken, with a signature that the secret proves. Addresses in private networks are refused unless the server allows them.',
  body: WebhookBody,
  response: {
    201: WebhookMade,
    ...problemResponses([
      ...anyCall,
      ...anyBody,
      'catalogue/unavailable',
      'value/invalid',
      'webhook/too-many',
    ]),
  },
}

const listing = {
  ...keyed,
  operationId: 'webhooks',
  summary: 'Read where events are sent, and how that goes',
  response: { 200: WebhookList, ...problemResponses(anyCall) },
}

const removing = {
  ...keyed,
  operationId: 'removeWebhook',
  summary: 'Have no more events sent to an address',
  params: WebhookParams,
  response: {
    204: Type.Null({ description: 'It is told nothing more.' }),
    ...problemResponses([...anyCall, 'request/foreign-origin', 'webhook/not-found']),
  },
}

/** The longest body that says where to send events, in bytes. */
const bodyLimit = 16_384

/** `POST` and `GET /api/webhooks`, `DELETE /api/webhooks/:id` */
export const webhooksRoute =
  ({ add, all, remove }: Pick<Webhooks, 'add' | 'all' | 'remove'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post('/api/webhooks', { schema: adding, bodyLimit }, async ({ body }, reply) => {
      const wanted = { url: body.url, kinds: body.kinds, tokenId: read(tokenId, body.tokenId) }
      const { id, url, secret } = await add(wanted)
      return reply.code(201).header('cache-control', 'no-store').send({ id, url, secret })
    })

    app.get('/api/webhooks', { schema: listing }, async (_, reply) => {
      const items = (await all()).map(printed)
      return reply.header('cache-control', 'no-store').send({ items })
    })

    app.delete('/api/webhooks/:id', { schema: removing }, async ({ params }, reply) => {
      await remove(params.id)
      return reply.code(204).send(null)
    })
  }

function printed({ id, url, kinds, tokenId: about, delivered, failing }: Webhook) {
  return {
    ...{ id, url, kinds: kinds === undefined ? null : [...kinds] },
    tokenId: about === undefined ? null : `${about}`,
    delivered: delivered ?? null,
    failing: failing === undefined ? null : failingOf(failing),
  }
}

const failingOf = ({ attempts, nextAt, problem }: NonNullable<Webhook['failing']>) => ({
  ...{ attempts, nextAt: `${Math.ceil(nextAt / 1000)}`, problem },
})
