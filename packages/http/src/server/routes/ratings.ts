import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  type Catalogue,
  type Rating,
  type Ratings,
  rate,
  requireFound,
  tokenId,
  toSeconds,
} from '@heirloom/core'
import { pageInput, pageQuery, querySchema } from '../../api/catalogue-queries.ts'
import {
  anyBody,
  anyCatalogueRead,
  anyRead,
  anyTokenRead,
  problemResponses,
} from '../../api/problem-responses.ts'
import { rateText } from '../../api/rate-text.ts'
import {
  RateBody,
  RatingCountsQuery,
  RatingCountsRecord,
  RatingHeaders,
  RatingRecord,
  RatingsRecord,
} from '../../api/rating-schemas.ts'
import { TokenParams } from '../../api/schema-parts.ts'
import type { ProofGate } from '../request/proof-gate.ts'
import { readProof } from '../request/proof-headers.ts'
import { sealProofHeaders } from '../request/seal-proof.ts'
import { signedPlaceOf } from '../request/signed-place-of.ts'
import type { Deployment } from './deployment.ts'

const readSchema = {
  operationId: 'ratings',
  tags: ['memory'],
  summary: 'Read the ratings of a token, the newest first',
  description:
    'Only accounts that paid for a token rate it, once each. Each rating names the transaction that paid, and has the text and the signature of the account.',
  params: TokenParams,
  querystring: querySchema(pageQuery),
  response: {
    200: RatingsRecord,
    ...problemResponses([...anyTokenRead, 'rating/unavailable']),
  },
}

const countsSchema = {
  operationId: 'ratingCounts',
  tags: ['marketplace'],
  summary: 'Count the ratings of several tokens',
  description: 'An average says nothing without the number of accounts, so this returns numbers.',
  querystring: RatingCountsQuery,
  response: {
    200: RatingCountsRecord,
    ...problemResponses([
      ...anyRead,
      ...(['rating/unavailable', 'service/busy', 'value/invalid'] as const),
    ]),
  },
}

const rateSchema = {
  operationId: 'rate',
  tags: ['memory'],
  summary: 'Rate a token, as an account that paid for it',
  description: [
    'The account that bought, rented or forked the token, or that it was bought or rented for, signs (EIP-191)',
    '`heirloom:rate:<host>:<chainId>:<registry>:<tokenId>:<address>:<timestamp>:<score>:<comment>`, with the',
    'host of this server. The maker of a token rates it never, and what an owner pays to itself does not count.',
    'A later rating of the account replaces an earlier one.',
  ].join(' '),
  security: [{}],
  params: TokenParams,
  headers: RatingHeaders,
  body: RateBody,
  response: {
    201: RatingRecord,
    ...problemResponses([
      ...anyCatalogueRead,
      ...anyBody,
      'ledger/unavailable',
      'proof/malformed',
      'proof/missing',
      'proof/not-signed',
      'proof/stale',
      'rating/malformed',
      'rating/not-paid',
      'rating/unavailable',
      'seal/not-offered',
      'token/not-found',
      'value/invalid',
    ]),
  },
}

export declare namespace ratingsRoute {
  type Parts = Omit<rate.Parts, 'catalogue' | 'ratings'> & {
    readonly catalogue: Pick<Catalogue, 'token' | 'activity'>
    readonly ratings: Ratings
    readonly gate: Pick<ProofGate, 'originOf'>
    readonly deployment: Pick<Deployment, 'chainId' | 'registry'>
  }
}

/** `GET` and `POST /api/memory/:tokenId/ratings`, and `GET /api/ratings` */
export const ratingsRoute =
  (parts: ratingsRoute.Parts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { catalogue, ratings } = parts
    const path = '/api/memory/:tokenId/ratings'
    app.get(path, { schema: readSchema }, async ({ params, query }) => {
      const id = tokenId(params.tokenId)
      requireFound(id, await catalogue.token(id))
      const [{ items, next }, [counts = []]] = await Promise.all([
        ratings.list(id, pageInput(query)),
        ratings.counts([id]),
      ])
      return { items: items.map(printRating), next: next ?? null, counts: [...counts] }
    })
    app.get('/api/ratings', { schema: countsSchema }, async ({ query }) => {
      const ids = query.tokenIds.split(',').map(tokenId)
      const counted = await ratings.counts(ids)
      return {
        items: ids.map((id, at) => ({ tokenId: `${id}`, counts: [...(counted[at] ?? [])] })),
      }
    })
    app.post(path, { schema: rateSchema }, async (request, reply) => {
      const { params, body } = request
      const { account, timestamp, signature } = readProof(request.headers, sealProofHeaders)
      const place = signedPlaceOf(parts, request)
      const id = tokenId(params.tokenId)
      const { score, comment = '' } = body
      const message = rateText(place, { tokenId: `${id}`, account, timestamp, score, comment })
      const proof = { timestamp, signature, message }
      const rating = await rate(parts, { tokenId: id, account, proof, score, comment })
      return reply.code(201).send(printRating(rating))
    })
  }

const printRating = ({ tokenId: id, ratedAt, payment, ...rating }: Rating) => ({
  ...{ ...rating, ...payment, tokenId: `${id}`, ratedAt: `${toSeconds(ratedAt)}` },
})
