import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type TokenId, tokenId } from '@heirloom/core'
import { querySchema } from '../../api/catalogue-queries.ts'
import { IntegrityRecord } from '../../api/catalogue-schemas.ts'
import { anyRead, problemResponses } from '../../api/problem-responses.ts'
import { TokenParams } from '../../api/schema-parts.ts'
import type { Integrity } from '../health/integrity.ts'

/** Checks the sealed bytes of a token. @throws `service/busy`, `token/not-found` */
export type CheckIntegrity = (id: TokenId) => Promise<Integrity>

const schema = {
  operationId: 'integrity',
  tags: ['memory'],
  summary: 'Check whether the sealed bytes of a token are here and intact',
  description:
    'Reads the bytes and hashes them, and never opens them. The result is cached for a second.',
  params: TokenParams,
  querystring: querySchema({}),
  response: {
    200: IntegrityRecord,
    ...problemResponses([
      ...anyRead,
      'blob/unavailable',
      'memory/erased',
      'service/busy',
      'token/not-found',
      'value/invalid',
    ]),
  },
}

/** `GET /api/memory/:tokenId/integrity` */
export const integrityRoute =
  (check: CheckIntegrity): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/memory/:tokenId/integrity', { schema }, async ({ params }) => {
      const { present, bytes, matches } = await check(tokenId(params.tokenId))
      return { tokenId: params.tokenId, present, bytes: bytes ?? null, matches }
    })
  }
