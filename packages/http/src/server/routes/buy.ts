import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { tokenId } from '@heirloom/core'
import { AcquireBody, Written } from '../../api/market-schemas.ts'
import { anyWrite, problemResponses } from '../../api/problem-responses.ts'
import { TokenParams, WriteHeaders } from '../../api/schema-parts.ts'
import { readAcquisition } from '../request/read-acquisition.ts'
import type { ServiceFor } from '../tenants/tenants.ts'

const schema = {
  operationId: 'buy',
  tags: ['marketplace'],
  summary: 'Buy a listed token at its asking price',
  description:
    'The agent wallet pays; it becomes the owner, or the recipient does. No body needed.',
  security: [{}, { apiKey: [] }],
  headers: WriteHeaders,
  params: TokenParams,
  body: AcquireBody,
  response: {
    201: Written,
    ...problemResponses([
      ...anyWrite,
      'catalogue/unavailable',
      'listing/copied',
      'memory/erased',
      'listing/currency-changed',
      'listing/not-for-sale',
      'listing/over-max-price',
      'listing/price-changed',
      'listing/price-raised',
      'recipient/invalid',
      'token/not-found',
    ]),
  },
}

/** `POST /api/marketplace/buy/:tokenId` */
export const buyRoute =
  (serviceFor: ServiceFor<'buy'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/api/marketplace/buy/:tokenId',
      { schema },
      async ({ params, body, idempotency, caller }, reply) => {
        const id = tokenId(params.tokenId)
        const { txHash } = await serviceFor(caller).buy({
          tokenId: id,
          ...readAcquisition(body),
          idempotency,
          budget: caller,
        })
        return reply.code(201).send({ txHash })
      },
    )
  }
