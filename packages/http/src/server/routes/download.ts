import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type FailureCode, tokenId } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { Document } from '../../api/memory-schemas.ts'
import { anyRead, problemResponses } from '../../api/problem-responses.ts'
import { TokenParams } from '../../api/schema-parts.ts'
import { type MemoryDesk, sendMemory } from '../request/send-memory.ts'

/** The failures of a download, besides those of any read. */
export const downloadFailures: readonly FailureCode[] = [
  'access/copied',
  'access/denied',
  'blob/corrupt',
  'blob/not-found',
  'blob/unavailable',
  'bundle/altered',
  'bundle/unreadable',
  'memory/erased',
  'proof/malformed',
  'proof/missing',
  'proof/not-bound',
  'proof/not-signed',
  'proof/stale',
  'service/busy',
  'token/not-found',
  'value/invalid',
]

/** The schema of a download. */
export const downloadSchema = {
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
    ...problemResponses([...anyRead, ...downloadFailures]),
  },
}

/** `GET /api/memory/:tokenId` */
export const downloadRoute =
  (desk: MemoryDesk): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/memory/:tokenId', { schema: downloadSchema }, async (request, reply) =>
      sendMemory(desk, { request, reply }, tokenId(request.params.tokenId)),
    )
  }
