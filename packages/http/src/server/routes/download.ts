import { isAscii } from 'node:buffer'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { releaseBuffer } from '@heirloom/adapters/internal/platform'
import { inlineLimit } from '@heirloom/adapters/internal/read-json-object'
import { type MemoryService, tokenId } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { Document } from '../../api/memory-schemas.ts'
import { anyRead, problemResponses } from '../../api/problem-responses.ts'
import { TokenParams } from '../../api/schema-parts.ts'
import type { DownloadBudget } from '../bounds/download-budget.ts'
import { clientOf } from '../request/client-of.ts'
import type { ProofGate } from '../request/proof-gate.ts'
import { readProof } from '../request/proof-headers.ts'

const schema = {
  operationId: 'download',
  tags: ['memory'],
  summary: 'Open the memory of a token as its owner or an active renter',
  description: [
    'The signed text (EIP-191) is `service:access:<tokenId>:<address>:<timestamp>`.',
    'A bound proof signs an EIP-4361 text instead, which names the server, chain, registry and',
    'token, where `GET /api/deployment` has `eip4361` among its `proofs`; docs/client.md has it.',
    'The timestamp is within 120 seconds of now; until then a signature may be used again.',
    'A contract wallet signs the same text: a signature of more than 65 bytes, up to 8 KiB, is',
    'checked by ERC-1271, or by ERC-6492 where the wallet is not deployed yet.',
    'The headers are checked first (403), then the token (404), then the right to it (403).',
    'A contract is called last (403), and few at once (503 with `retry-after`).',
    'The body is the document that was sealed, byte for byte. Anyone can check it with',
    '`x-content-salt`: sha256(salt ‖ body) is `x-content-hash`, which the chain records.',
  ].join(' '),
  security: [{ walletAddress: [], walletSignature: [], walletTimestamp: [] }],
  params: TokenParams,
  response: {
    200: {
      description: 'The bundle.',
      headers: {
        'x-content-hash': { type: 'string', description: 'The hash that the chain records.' },
        'x-content-salt': { type: 'string', description: 'The 32 bytes that precede the body.' },
      },
      content: { 'application/json': { schema: Type.Unsafe<Uint8Array | string>(Document) } },
    },
    ...problemResponses([
      ...anyRead,
      'access/copied',
      'access/denied',
      'blob/corrupt',
      'blob/not-found',
      'blob/unavailable',
      'bundle/altered',
      'bundle/unreadable',
      'proof/malformed',
      'proof/missing',
      'proof/not-bound',
      'proof/not-signed',
      'proof/stale',
      'service/busy',
      'token/not-found',
      'value/invalid',
    ]),
  },
}

/**
 * Returns the payload for a document. Node sends the head of a reply and a string in one write,
 * which costs half as much as two; a string of ASCII characters is as long as its bytes.
 */
function payloadOf(document: Uint8Array): Uint8Array | string {
  if (document.length > maxStringBytes || !isAscii(document)) return document
  const { buffer, byteOffset, byteLength } = document
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
}

/** The longest document that is sent as a string, in bytes. */
const maxStringBytes = 16_384

/** `GET /api/memory/:tokenId` */
export const downloadRoute =
  (
    { download }: Pick<MemoryService, 'download'>,
    {
      gate,
      budget,
    }: { readonly gate: Pick<ProofGate, 'challengesOf'>; readonly budget: DownloadBudget },
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/memory/:tokenId', { schema }, async (request, reply) => {
      const id = tokenId(request.params.tokenId)
      const reservation = budget.reservationFor(clientOf(request))
      const input = {
        tokenId: id,
        proof: readProof(request.headers),
        challenges: gate.challengesOf(request),
        beforeOpening: reservation.reserve,
      }
      const opened = await download(input).catch((error: unknown) => {
        reservation.release()
        throw error
      })
      const { release } = reservation
      const isCounted = reservation.settle(opened.document.length)
      if (isCounted) reply.raw.once('finish', release).once('close', release)
      // By then the system has all of it. After a broken reply the garbage collector frees it.
      if (opened.document.length > inlineLimit)
        reply.raw.once('finish', () => releaseBuffer(opened.document))
      return reply
        .header('cache-control', 'no-store')
        .header('x-content-hash', opened.contentHash)
        .header('x-content-salt', opened.salt)
        .type('application/json; charset=utf-8')
        .send(payloadOf(opened.document))
    })
  }
