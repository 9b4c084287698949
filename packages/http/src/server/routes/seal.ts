import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { encodeMint } from '@heirloom/adapters/internal/mint-call'
import { releaseBuffer } from '@heirloom/adapters/internal/platform'
import type { SealNote } from '@heirloom/adapters/internal/seal-notes'
import { Failure, type Hex, type MemoryService, storageUri } from '@heirloom/core'
import type { FastifyRequest } from 'fastify'
import { readAddress } from '../../api/address.ts'
import { Sealed, SnapshotBody } from '../../api/memory-schemas.ts'
import { anyBody, anyRead, problemResponses } from '../../api/problem-responses.ts'
import { SealHeaders } from '../../api/schema-parts.ts'
import { sealText } from '../../api/seal-text.ts'
import type { Config } from '../../config/config.ts'
import { clientOf } from '../request/client-of.ts'
import type { ProofGate } from '../request/proof-gate.ts'
import { readParent } from '../request/read-parent.ts'
import { readSealProof, type SealProof } from '../request/seal-proof.ts'
import type { SealOnce } from '../seals/seal-once.ts'
import type { Deployment } from './deployment.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The verified proof of a creator; absent on every other route. */
    sealProof: SealProof | undefined
  }
}

const schema = {
  operationId: 'seal',
  tags: ['memory'],
  summary: 'Seal and store a memory bundle for a wallet that mints its token itself',
  description: [
    'Seals as `snapshot` does, for the wallet that signs, and returns the transaction that this wallet',
    'signs and sends. Only a token that this wallet mints opens. The signature is checked before the',
    'body is read, and the body against the signed digest. A block must contain the mint before',
    '`expiresAt`; the memory is removed later if none does. docs/seal.md describes it all.',
  ].join(' '),
  security: [{}, { apiKey: [] }],
  headers: SealHeaders,
  body: SnapshotBody,
  response: {
    201: Sealed,
    ...problemResponses([
      ...anyRead,
      ...anyBody,
      'api-key/out-of-scope',
      'blob/unavailable',
      'bundle/malformed',
      'card/malformed',
      'idempotency/key-reused',
      'proof/malformed',
      'proof/missing',
      'proof/not-signed',
      'proof/stale',
      'recipient/invalid',
      'request/not-authorized',
      'seal/no-room',
      'seal/not-offered',
      'seal/too-many',
      'seal/wrong-body',
      'service/busy',
      'token/not-found',
      'value/invalid',
    ]),
  },
}

export declare namespace sealRoute {
  type Parts = Pick<MemoryService, 'proveCreator'> & {
    readonly sealOnce: SealOnce
    readonly gate: Pick<ProofGate, 'originOf'>
    readonly deployment: Pick<Deployment, 'chainId' | 'registry'>
    readonly config: Pick<Config, 'bodyLimit'> & Partial<Pick<Config, 'seals'>>
  }
}

/** `POST /api/memory/seal` */
export const sealRoute =
  (parts: sealRoute.Parts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { sealOnce, deployment, config } = parts
    app.decorateRequest('sealProof', undefined)
    app.addHook('onRequest', async (request) => {
      request.sealProof = await verifyProof(parts, request)
    })
    app.addHook('preValidation', (request, _, done) => {
      refuseWrongBody(request)
      done()
    })
    const options = { schema, bodyLimit: bodyLimitOf(config), config: { isBodySigned: true } }
    app.post('/api/memory/seal', options, async (request, reply) => {
      const { body, receivedBody, idempotency } = request
      const { account: creator, timestamp, bodyDigest } = proofOf(request)
      const note = await sealOnce({
        bundle: receivedBody?.members ?? new Map(),
        card: body.card,
        parent: readParent(body.parentTokenId),
        recipient: body.recipient === undefined ? undefined : readAddress(body.recipient),
        client: clientOf(request),
        ...{ creator, timestamp, bodyDigest, idempotency },
      }).finally(() => receivedBody && releaseBuffer(receivedBody.bytes))
      return reply.code(201).send(print(note, deployment))
    })
  }

/** Returns the largest body, in bytes: a larger one would never fit into the bounds. */
function bodyLimitOf({ bodyLimit, seals }: sealRoute.Parts['config']): number {
  return Math.min(bodyLimit, seals?.bounds.perAccount.bytes || bodyLimit)
}

/** Verifies the proof of a request from its headers alone. */
async function verifyProof(
  { proveCreator, gate, deployment }: sealRoute.Parts,
  request: FastifyRequest,
): Promise<SealProof> {
  const proof = readSealProof(request.headers)
  const origin = gate.originOf(request)
  if (origin === undefined) throw new Failure('seal/not-offered', { setting: 'PUBLIC_URL' })
  const { chainId, registry } = deployment
  const message = sealText({ host: new URL(origin).host, chainId, registry }, proof)
  await proveCreator({ ...proof, message })
  return proof
}

function proofOf({ sealProof }: FastifyRequest): SealProof {
  if (sealProof === undefined) throw new Error('The proof is verified before the body is read.')
  return sealProof
}

function refuseWrongBody(request: FastifyRequest): void {
  const { bodyDigest: signed } = proofOf(request)
  const { receivedBody } = request
  const actual: Hex = `0x${receivedBody?.sum ?? ''}`
  if (actual !== signed) throw new Failure('seal/wrong-body', { signed, actual })
}

function print(note: SealNote, { chainId, registry }: sealRoute.Parts['deployment']) {
  const { contentHash, digest, card, creator, recipient, parent = 0n, expiresAt } = note
  const data = encodeMint({ recipient, contentHash, digest, parent, card })
  return {
    ...{ contentHash, storageUri: storageUri(digest), card: card ?? null },
    ...{ creator, chainId, registry, recipient, parentTokenId: `${parent}`, expiresAt },
    transaction: { chainId, to: registry, data, value: '0' },
  }
}
