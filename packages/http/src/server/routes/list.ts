import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { tokenId, wei } from '@heirloom/core'
import { readDollars } from '../../api/encode-dollars.ts'
import { ListBody, Written } from '../../api/market-schemas.ts'
import { anyWrite, problemResponses } from '../../api/problem-responses.ts'
import { WriteHeaders } from '../../api/schema-parts.ts'
import type { ServiceFor } from '../tenants/tenants.ts'

const schema = {
  operationId: 'list',
  tags: ['marketplace'],
  summary: "Offer a token of the agent wallet's for sale, rent or fork",
  description:
    'Replaces the listing; all prices "0" takes it down. For a listing in dollars the prices in wei are all "0", and `dollars` has the others.',
  security: [{}, { apiKey: [] }],
  headers: WriteHeaders,
  body: ListBody,
  response: {
    201: Written,
    ...problemResponses([
      ...anyWrite,
      'dollar/missing',
      'listing/not-owner',
      'listing/price-too-high',
      'listing/two-currencies',
      'memory/erased',
      'royalty/bad-share',
      'token/not-found',
    ]),
  },
}

/** `POST /api/marketplace/list` */
export const listRoute =
  (serviceFor: ServiceFor<'list'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post('/api/marketplace/list', { schema }, async ({ body, idempotency, caller }, reply) => {
      const { txHash } = await serviceFor(caller).list({
        tokenId: tokenId(body.tokenId),
        price: wei(body.price),
        rentalPricePerDay: wei(body.rentalPricePerDay),
        forkPrice: wei(body.forkPrice),
        forkRoyaltyBps: body.forkRoyaltyBps,
        dollars: readDollars(body.dollars),
        idempotency,
        budget: caller,
      })
      return reply.code(201).send({ txHash })
    })
  }
