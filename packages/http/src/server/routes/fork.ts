import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { tokenId } from '@heirloom/core'
import { ForkBody, Forked } from '../../api/market-schemas.ts'
import { anyWrite, problemResponses } from '../../api/problem-responses.ts'
import { TokenParams, WriteHeaders } from '../../api/schema-parts.ts'
import { readAcquisition } from '../request/read-acquisition.ts'
import type { ServiceFor } from '../tenants/tenants.ts'

const schema = {
  operationId: 'fork',
  tags: ['marketplace'],
  summary: 'Mint a child of a listed token',
  description:
    'The agent wallet pays, and is the creator of the child, which owes royalties for ever. No body needed.',
  security: [{}, { apiKey: [] }],
  headers: WriteHeaders,
  params: TokenParams,
  body: ForkBody,
  response: {
    201: Forked,
    ...problemResponses([
      ...anyWrite,
      'catalogue/unavailable',
      'listing/copied',
      'memory/erased',
      'listing/currency-changed',
      'lineage/too-deep',
      'listing/not-for-fork',
      'listing/over-max-price',
      'listing/price-changed',
      'listing/price-raised',
      'listing/royalty-changed',
      'recipient/invalid',
      'token/not-found',
    ]),
  },
}

/** `POST /api/marketplace/fork/:tokenId` */
export const forkRoute =
  (serviceFor: ServiceFor<'fork'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/api/marketplace/fork/:tokenId',
      { schema },
      async ({ params, body, idempotency, caller }, reply) => {
        const id = tokenId(params.tokenId)
        const { maxRoyaltyBps } = body
        const terms = { ...readAcquisition(body), maxRoyaltyBps }
        const child = await serviceFor(caller).fork({
          tokenId: id,
          ...terms,
          idempotency,
          budget: caller,
        })
        return reply.code(201).send({ txHash: child.txHash, tokenId: child.tokenId.toString() })
      },
    )
  }
