import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Catalogue, type Clock, requireFound, tokenId, toSeconds } from '@heirloom/core'
import { querySchema } from '../../api/catalogue-queries.ts'
import { RentalsRecord } from '../../api/catalogue-schemas.ts'
import { mostRentals } from '../../api/most-rentals.ts'
import { anyTokenRead, problemResponses } from '../../api/problem-responses.ts'
import { TokenParams } from '../../api/schema-parts.ts'

const schema = {
  operationId: 'rentals',
  tags: ['memory'],
  summary: 'Read the running rentals of a token',
  description: `Returns at most ${mostRentals} rentals, the last to end first.`,
  params: TokenParams,
  querystring: querySchema({}),
  response: {
    200: RentalsRecord,
    ...problemResponses(anyTokenRead),
  },
}

type Parts = { readonly catalogue: Pick<Catalogue, 'token' | 'rentals'>; readonly clock: Clock }

/** `GET /api/memory/:tokenId/rentals` */
export const rentalsRoute =
  ({ catalogue, clock }: Parts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/memory/:tokenId/rentals', { schema }, async ({ params }) => {
      const id = tokenId(params.tokenId)
      requireFound(id, await catalogue.token(id))
      const running = await catalogue.rentals(id, clock.now(), mostRentals)
      const items = running.map(({ renter, expiresAt }) => ({
        ...{ tokenId: `${id}`, renter, expiresAt: `${toSeconds(expiresAt)}` },
      }))
      return { items }
    })
  }
