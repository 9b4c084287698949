import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { releaseBuffer } from '@heirloom/adapters/internal/platform'
import { salt } from '@heirloom/core'
import { readAddress } from '../../api/address.ts'
import { Minted, SnapshotBody } from '../../api/memory-schemas.ts'
import { anyWrite, problemResponses } from '../../api/problem-responses.ts'
import { WriteHeaders } from '../../api/schema-parts.ts'
import { readParent } from '../request/read-parent.ts'
import type { ServiceFor } from '../tenants/tenants.ts'

const schema = {
  operationId: 'snapshot',
  tags: ['memory'],
  summary: 'Seal a memory bundle, store it, and mint its provenance token',
  description:
    'Seals `{"data":D,"metadata":M}`, where D and M are the exact texts that arrived. Nothing of it is public; the `card` is public for ever.',
  security: [{}, { apiKey: [] }],
  headers: WriteHeaders,
  body: SnapshotBody,
  response: {
    201: Minted,
    ...problemResponses([
      ...anyWrite,
      'blob/unavailable',
      'bundle/malformed',
      'card/malformed',
      'recipient/invalid',
      'token/not-found',
    ]),
  },
}

/** `POST /api/memory/snapshot` */
export const snapshotRoute =
  (serviceFor: ServiceFor<'snapshot'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post('/api/memory/snapshot', { schema }, async (request, reply) => {
      const { body, receivedBody, idempotency, caller } = request
      const minted = await serviceFor(caller)
        .snapshot({
          bundle: receivedBody?.members ?? new Map(),
          card: body.card,
          parent: readParent(body.parentTokenId),
          recipient: body.recipient === undefined ? undefined : readAddress(body.recipient),
          salt: body.salt === undefined ? undefined : salt(body.salt),
          idempotency,
          budget: caller,
        })
        .finally(() => receivedBody && releaseBuffer(receivedBody.bytes))
      return reply.code(201).send({
        tokenId: minted.tokenId.toString(),
        contentHash: minted.contentHash,
        storageUri: minted.storageUri,
        txHash: minted.txHash,
        timestamp: minted.timestamp,
      })
    })
  }
