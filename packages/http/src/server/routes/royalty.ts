import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { tokenId, wei } from '@heirloom/core'
import { RoyaltyBody, Written } from '../../api/market-schemas.ts'
import { anyWrite, problemResponses } from '../../api/problem-responses.ts'
import { TokenParams, WriteHeaders } from '../../api/schema-parts.ts'
import type { ServiceFor } from '../tenants/tenants.ts'

const schema = {
  operationId: 'royalty',
  tags: ['marketplace'],
  summary: "Pay a royalty to a token's creator",
  description: 'Sends the amount from the agent wallet to the creator, whoever owns the token.',
  security: [{}, { apiKey: [] }],
  headers: WriteHeaders,
  params: TokenParams,
  body: RoyaltyBody,
  response: { 201: Written, ...problemResponses([...anyWrite, 'royalty/zero', 'token/not-found']) },
}

/** `POST /api/marketplace/royalty/:tokenId` */
export const royaltyRoute =
  (serviceFor: ServiceFor<'royalty'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/api/marketplace/royalty/:tokenId',
      { schema },
      async ({ params, body, idempotency, caller }, reply) => {
        const id = tokenId(params.tokenId)
        const { txHash } = await serviceFor(caller).royalty({
          tokenId: id,
          amount: wei(body.amount),
          idempotency,
          budget: caller,
        })
        return reply.code(201).send({ txHash })
      },
    )
  }
