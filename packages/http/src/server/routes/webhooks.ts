import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Webhook, Webhooks } from '@heirloom/adapters/webhooks'
import { tokenId } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { querySchema, read } from '../../api/catalogue-queries.ts'
import { anyBody, anyRequest, problemResponses } from '../../api/problem-responses.ts'
import { WebhookBody, WebhookList, WebhookMade, WebhookParams } from '../../api/webhook-schemas.ts'

/** The failures of all three routes. */
const anyWebhookCall = [
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

const addSchema = {
  ...keyed,
  operationId: 'addWebhook',
  summary: 'Register a webhook',
  description:
    'Sends events in order, each again until the receiver accepts it, signed with the secret of the reply. Addresses in private networks are refused unless the server allows them.',
  body: WebhookBody,
  response: {
    201: WebhookMade,
    ...problemResponses([
      ...anyWebhookCall,
      ...anyBody,
      'catalogue/unavailable',
      'value/invalid',
      'webhook/too-many',
    ]),
  },
}

const listSchema = {
  ...keyed,
  operationId: 'webhooks',
  summary: 'Read the webhooks and the state of their deliveries',
  description:
    'Returns each webhook with the event it got last, and the failed delivery that blocks it, if any.',
  response: { 200: WebhookList, ...problemResponses(anyWebhookCall) },
}

const removeSchema = {
  ...keyed,
  operationId: 'removeWebhook',
  summary: 'Remove a webhook',
  description: 'Ends its deliveries; events that it has not got are not sent.',
  params: WebhookParams,
  response: {
    204: Type.Null({ description: 'The webhook gets no more events.' }),
    ...problemResponses([...anyWebhookCall, 'request/foreign-origin', 'webhook/not-found']),
  },
}

/** The largest body of a registration, in bytes. */
const bodyLimit = 16_384

/** `POST` and `GET /api/webhooks`, `DELETE /api/webhooks/:id` */
export const webhooksRoute =
  ({ add, all, remove }: Pick<Webhooks, 'add' | 'all' | 'remove'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post('/api/webhooks', { schema: addSchema, bodyLimit }, async ({ body }, reply) => {
      const { kinds } = body
      const { id, url, secret } = await add({
        url: body.url,
        kinds,
        tokenId: read(tokenId, body.tokenId),
      })
      return reply.code(201).header('cache-control', 'no-store').send({ id, url, secret })
    })

    app.get('/api/webhooks', { schema: listSchema }, async (_, reply) => {
      const items = (await all()).map(printWebhook)
      return reply.header('cache-control', 'no-store').send({ items })
    })

    app.delete('/api/webhooks/:id', { schema: removeSchema }, async ({ params }, reply) => {
      await remove(params.id)
      return reply.code(204).send(null)
    })
  }

function printWebhook({ id, url, kinds, tokenId: about, delivered, failing }: Webhook) {
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
