import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Erasures, type MemoryService, tokenId, toSeconds } from '@heirloom/core'
import { ProvenanceRecord } from '../../api/memory-schemas.ts'
import { anyRead, problemResponses } from '../../api/problem-responses.ts'
import { TokenParams } from '../../api/schema-parts.ts'

const schema = {
  operationId: 'provenance',
  tags: ['memory'],
  summary: 'Read what the chain records of a token',
  description:
    'Returns creator, parent, time, content hash and the location of the sealed bundle, from the chain.',
  params: TokenParams,
  response: {
    200: ProvenanceRecord,
    ...problemResponses([...anyRead, 'token/not-found', 'value/invalid']),
  },
}

export declare namespace provenanceRoute {
  type Parts = Pick<MemoryService, 'provenance'> & {
    /** Returns when a memory was erased; absent where none can be. */
    readonly erasedAt?: Erasures['find'] | undefined
  }
}

/** `GET /api/memory/:tokenId/info` */
export const provenanceRoute =
  ({ provenance, erasedAt = () => undefined }: provenanceRoute.Parts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/memory/:tokenId/info', { schema }, async ({ params }) => {
      const record = await provenance({ tokenId: tokenId(params.tokenId) })
      const erased = erasedAt(record.digest)
      return {
        tokenId: record.tokenId.toString(),
        contentHash: record.contentHash,
        storageUri: record.storageUri,
        creator: record.creator,
        parent: (record.parent ?? 0n).toString(),
        timestamp: toSeconds(record.mintedAt).toString(),
        ...(erased !== undefined && { erasedAt: `${toSeconds(erased)}` }),
      }
    })
  }
