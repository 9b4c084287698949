import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type MemoryService, tokenId } from '@heirloom/core'
import { encodeListing } from '../../api/encode-listing.ts'
import { ListingRecord } from '../../api/market-schemas.ts'
import { anyRead, problemResponses } from '../../api/problem-responses.ts'
import { TokenParams } from '../../api/schema-parts.ts'

const schema = {
  operationId: 'listing',
  tags: ['marketplace'],
  summary: "Read a token's live listing",
  description:
    'A token that is not listed has zero prices and the zero address as its seller. In both cases the record has the royalty that a fork would owe.',
  params: TokenParams,
  response: {
    200: ListingRecord,
    ...problemResponses([...anyRead, 'token/not-found', 'value/invalid']),
  },
}

/** `GET /api/marketplace/listings/:tokenId` */
export const listingRoute =
  ({ listing }: Pick<MemoryService, 'listing'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/marketplace/listings/:tokenId', { schema }, async ({ params }) => {
      return encodeListing(await listing({ tokenId: tokenId(params.tokenId) }))
    })
  }
