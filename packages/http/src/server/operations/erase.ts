import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Account, type erase, Failure, type TokenId, tokenId, toSeconds } from '@heirloom/core'
import type { FastifyRequest } from 'fastify'
import { eraseText } from '../../api/erase-text.ts'
import { Erased } from '../../api/memory-schemas.ts'
import { anyRead, problemResponses } from '../../api/problem-responses.ts'
import { EraseHeaders, TokenParams } from '../../api/schema-parts.ts'
import { isLocalOnly, type Reach } from '../../config/loopback.ts'
import { type ApiKey, allows } from '../api-keys/api-key.ts'
import type { KeyRing } from '../api-keys/key-ring.ts'
import type { Erasing } from '../erasing/erasing.ts'
import type { ProofGate } from '../request/proof-gate.ts'
import { readProof } from '../request/proof-headers.ts'
import { claimsProof, sealProofHeaders } from '../request/seal-proof.ts'
import { signedPlaceOf } from '../request/signed-place-of.ts'
import type { Deployment } from './deployment.ts'

const schema = {
  operationId: 'erase',
  tags: ['memory'],
  summary: 'Erase the memory of a token for ever, as its owner',
  description: [
    'The owner signs (EIP-191) `heirloom:erase:<host>:<chainId>:<registry>:<tokenId>:<address>:<timestamp>`,',
    'with the host of this server. Without these headers, an API key with the scope admin erases what the',
    'agent wallet owns, and the key of a tenant what its tenant owns. The owner must own every token that',
    'opens the memory, none of them may be listed, and no rental of somebody else may run. The token',
    'stays, and its memory is answered with 410 from then on. docs/versions.md describes it all.',
  ].join(' '),
  security: [{}, { apiKey: [] }],
  params: TokenParams,
  headers: EraseHeaders,
  response: {
    200: Erased,
    ...problemResponses([
      ...anyRead,
      'access/copied',
      'blob/corrupt',
      'blob/not-found',
      'blob/unavailable',
      'bundle/altered',
      'bundle/unreadable',
      'catalogue/busy',
      'catalogue/too-costly',
      'catalogue/unavailable',
      'memory/listed',
      'memory/rented',
      'memory/shared',
      'proof/malformed',
      'proof/missing',
      'proof/not-signed',
      'proof/stale',
      'request/foreign-origin',
      'seal/not-offered',
      'service/busy',
      'token/not-found',
      'token/not-owner',
      'value/invalid',
    ]),
  },
}

export declare namespace eraseRoute {
  type Parts = {
    readonly erasing: Erasing
    readonly gate: Pick<ProofGate, 'originOf'>
    readonly deployment: Pick<Deployment, 'chainId' | 'registry'>
    readonly keys: Pick<KeyRing, 'isRequired'>
    readonly config: Reach
    /** Returns the wallet that acts for an API key. */
    readonly agentFor: (caller: ApiKey | undefined) => Account
  }
}

/** `POST /api/memory/:tokenId/erase` */
export const eraseRoute =
  (parts: eraseRoute.Parts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post('/api/memory/:tokenId/erase', { schema }, async (request, reply) => {
      const id = tokenId(request.params.tokenId)
      const isSigned = claimsProof(request.headers)
      const owner = isSigned ? signerOf(parts, request, id) : agentOf(parts, request)
      const { erasedAt, isRemoved } = await parts.erasing({ tokenId: id, ...owner })
      reply.header('cache-control', 'no-store')
      return { tokenId: `${id}`, erasedAt: `${toSeconds(erasedAt)}`, isRemoved }
    })
  }

type Owner = Omit<erase.Input, 'tokenId'>

function signerOf(parts: eraseRoute.Parts, request: FastifyRequest, id: TokenId): Owner {
  const { account, timestamp, signature } = readProof(request.headers, sealProofHeaders)
  const place = signedPlaceOf(parts, request)
  const message = eraseText(place, { tokenId: `${id}`, account, timestamp })
  return { account, proof: { timestamp, signature, message } }
}

/** Returns the wallet of an API key, or of the operator of a local server, that may erase what it owns. */
function agentOf({ keys, config, agentFor }: eraseRoute.Parts, { caller }: FastifyRequest): Owner {
  // Without keys anyone could be there whom the network lets in, and nothing brings a memory back.
  if (keys.isRequired || !isLocalOnly(config)) requireEraser(caller)
  return { account: agentFor(caller) }
}

/** Refuses a caller without the right as one without a proof: an owner needs no API key. */
function requireEraser(caller: ApiKey | undefined): void {
  // No key of a tenant is an administrator; what it may write is its own.
  const needed = caller?.tenant === undefined ? 'admin' : 'write'
  if (caller !== undefined && allows(caller, needed)) return
  throw new Failure('proof/missing', { header: sealProofHeaders.account })
}
