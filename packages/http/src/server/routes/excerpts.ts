import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Catalogue, requireFound, storageUri, tokenId } from '@heirloom/core'
import { querySchema } from '../../api/catalogue-queries.ts'
import { ExcerptsRecord } from '../../api/excerpts-schemas.ts'
import { anyTokenRead, problemResponses } from '../../api/problem-responses.ts'
import { TokenParams } from '../../api/schema-parts.ts'

const schema = {
  operationId: 'excerpts',
  tags: ['memory'],
  summary: 'Read the excerpts of a memory with their proofs',
  description:
    'Returns the values of a memory that its creator shows, each with the proof that the sealed memory commits to it.',
  params: TokenParams,
  querystring: querySchema({}),
  response: {
    200: ExcerptsRecord,
    ...problemResponses(anyTokenRead),
  },
}

/** `GET /api/memory/:tokenId/excerpts` */
export const excerptsRoute =
  (catalogue: Pick<Catalogue, 'token'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/memory/:tokenId/excerpts', { schema }, async ({ params }) => {
      const id = tokenId(params.tokenId)
      const { contentHash, digest, sample } = requireFound(id, await catalogue.token(id))
      return {
        ...{ tokenId: `${id}`, contentHash, storageUri: storageUri(digest) },
        ...{ mark: sample?.mark ?? null, root: sample?.root ?? null },
        excerpts:
          sample?.excerpts.map(({ path, ...excerpt }) => ({ ...excerpt, path: [...path] })) ?? [],
      }
    })
  }
