import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { tokenId, toSeconds } from '@heirloom/core'
import { RentBody, Rented } from '../../api/market-schemas.ts'
import { anyWrite, problemResponses } from '../../api/problem-responses.ts'
import { TokenParams, WriteHeaders } from '../../api/schema-parts.ts'
import { readAcquisition } from '../request/read-acquisition.ts'
import type { ServiceFor } from '../tenants/tenants.ts'

const schema = {
  operationId: 'rent',
  tags: ['marketplace'],
  summary: 'Rent access to a listed token by the day',
  description: 'The agent wallet pays. Renting again prolongs a rental that still runs.',
  security: [{}, { apiKey: [] }],
  headers: WriteHeaders,
  params: TokenParams,
  body: RentBody,
  response: {
    201: Rented,
    ...problemResponses([
      ...anyWrite,
      'catalogue/unavailable',
      'listing/copied',
      'memory/erased',
      'listing/currency-changed',
      'listing/not-for-rent',
      'listing/over-max-price',
      'listing/price-changed',
      'listing/price-raised',
      'recipient/invalid',
      'rental/bad-duration',
      'rental/too-long',
      'token/not-found',
    ]),
  },
}

/** `POST /api/marketplace/rent/:tokenId` */
export const rentRoute =
  (serviceFor: ServiceFor<'rent'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/api/marketplace/rent/:tokenId',
      { schema },
      async ({ params, body, idempotency, caller }, reply) => {
        const id = tokenId(params.tokenId)
        const rented = await serviceFor(caller).rent({
          tokenId: id,
          days: body.durationDays,
          ...readAcquisition(body),
          idempotency,
          budget: caller,
        })
        const expiresAt = toSeconds(rented.expiresAt).toString()
        return reply.code(201).send({ txHash: rented.txHash, expiresAt })
      },
    )
  }
