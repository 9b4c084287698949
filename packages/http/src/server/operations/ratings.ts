import {
  type Catalogue,
  type Rating,
  type Ratings,
  rate,
  requireFound,
  tokenId,
  toSeconds,
} from '@heirloom/core'
import type { ratingOperations } from '../../api/operations/catalogue.ts'
import { pageInput } from '../../api/schemas/catalogue-queries.ts'
import { rateText } from '../../api/signed-texts.ts'
import type { AcceptedProofs } from '../request/accepted-proofs.ts'
import { readProof, sealProofHeaders, signedPlaceOf } from '../request/proof-headers.ts'
import { encodePage } from './catalogue.ts'
import type { Deployment } from './deployment.ts'
import type { Handlers } from './serve-operation.ts'

export declare namespace ratingHandlers {
  type Parts = Omit<rate.Parts, 'catalogue' | 'ratings'> & {
    readonly catalogue: Pick<Catalogue, 'token' | 'activity'>
    readonly ratings: Ratings
    readonly gate: Pick<AcceptedProofs, 'originOf'>
    readonly deployment: Pick<Deployment, 'chainId' | 'registry'>
  }
}

/** Returns the handlers of ratings. */
export const ratingHandlers = (
  parts: ratingHandlers.Parts,
): Handlers<keyof typeof ratingOperations> => ({
  ratings: async ({ params, query }) => {
    const id = tokenId(params.tokenId)
    requireFound(id, await parts.catalogue.token(id))
    const [page, [counts = []]] = await Promise.all([
      parts.ratings.list(id, pageInput(query)),
      parts.ratings.counts([id]),
    ])
    return { ...encodePage(page, encodeRating), counts: [...counts] }
  },
  ratingCounts: async ({ query }) => {
    const ids = query.tokenIds.split(',').map(tokenId)
    const counted = await parts.ratings.counts(ids)
    return { items: ids.map((id, at) => ({ tokenId: `${id}`, counts: [...(counted[at] ?? [])] })) }
  },
  rate: async (request) => {
    const { account, timestamp, signature } = readProof(request.headers, sealProofHeaders)
    const place = signedPlaceOf(parts, request)
    const id = tokenId(request.params.tokenId)
    const { score, comment = '' } = request.body
    const message = rateText(place, { tokenId: `${id}`, account, timestamp, score, comment })
    const proof = { timestamp, signature, message }
    return encodeRating(await rate(parts, { tokenId: id, account, proof, score, comment }))
  },
})

const encodeRating = ({ tokenId: id, ratedAt, payment, ...rating }: Rating) => ({
  ...rating,
  ...payment,
  tokenId: `${id}`,
  ratedAt: `${toSeconds(ratedAt)}`,
})
