import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { releaseBuffer } from '@heirloom/adapters/internal/platform'
import type { snapshot } from '@heirloom/core'
import { Minted, SnapshotBody } from '../../api/memory-schemas.ts'
import { anyWrite, problemResponses } from '../../api/problem-responses.ts'
import { WriteHeaders } from '../../api/schema-parts.ts'
import type { Config } from '../../config/config.ts'
import type { NameOwners } from '../names/name-owners.ts'
import { type NamedSave, readSave } from '../request/read-save.ts'
import { readSnapshot } from '../request/read-snapshot.ts'
import type { ServiceFor } from '../tenants/tenants.ts'

const schema = {
  operationId: 'snapshot',
  tags: ['memory'],
  summary: 'Seal a memory bundle, store it, and mint its provenance token',
  description:
    'Seals `{"data":D,"metadata":M}`, where D and M are the exact texts that arrived. Nothing of it is public; the `card` is public for ever. With a `name` it is the next version of this name, and its parent is the last one.',
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
      'name/held',
      'name/malformed',
      'name/moved',
      'name/no-owner',
      'name/unavailable',
      'excerpt/not-in-memory',
      'recipient/invalid',
      'token/not-found',
    ]),
  },
}

export declare namespace snapshotRoute {
  type Parts = {
    readonly serviceFor: ServiceFor<'snapshot' | 'save'>
    readonly owners: NameOwners
    /** The largest body, in bytes. */
    readonly config: Pick<Config, 'bodyLimit'>
  }
}

/** `POST /api/memory/snapshot` */
export const snapshotRoute =
  ({ serviceFor, owners, config }: snapshotRoute.Parts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { bodyLimit } = config
    app.post('/api/memory/snapshot', { schema, bodyLimit }, async (request, reply) => {
      const { receivedBody, idempotency, caller } = request
      const input = { ...readSnapshot(request), idempotency, budget: caller }
      const save = readSave(request.body)
      const service = serviceFor(caller)
      const saveTo = (to: NamedSave) =>
        service.save({ ...input, ...to, ...owners.ofCaller(request) })
      const minting = save === undefined ? service.snapshot(input) : saveTo(save)
      const minted: snapshot.Output & { readonly version?: number } = await minting.finally(
        () => receivedBody && releaseBuffer(receivedBody.bytes),
      )
      return reply.code(201).send({
        tokenId: minted.tokenId.toString(),
        contentHash: minted.contentHash,
        storageUri: minted.storageUri,
        txHash: minted.txHash,
        timestamp: minted.timestamp,
        ...(minted.version !== undefined && { version: minted.version }),
      })
    })
  }
