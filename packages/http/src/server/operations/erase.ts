import { type Account, type erase, Failure, type TokenId, tokenId, toSeconds } from '@heirloom/core'
import type { FastifyRequest } from 'fastify'
import { eraseText } from '../../api/signed-texts.ts'
import { isLocalOnly, type Reach } from '../../config/read-access.ts'
import { type ApiKey, allows, type KeyRing, type Scope } from '../api-keys/key-ring.ts'
import type { Erasing } from '../erasing/erasing.ts'
import type { AcceptedProofs } from '../request/accepted-proofs.ts'
import {
  claimsProof,
  readProof,
  sealProofHeaders,
  signedPlaceOf,
} from '../request/proof-headers.ts'
import type { Deployment } from './deployment.ts'
import type { Handler } from './serve-operation.ts'

export declare namespace eraseHandler {
  type Parts = {
    readonly erasing: Erasing
    readonly gate: Pick<AcceptedProofs, 'originOf'>
    readonly deployment: Pick<Deployment, 'chainId' | 'registry'>
    readonly keys: Pick<KeyRing, 'isRequired'>
    readonly config: Reach
    /** Returns the wallet that acts for an API key. */
    readonly agentFor: (caller: ApiKey | undefined) => Account
  }
}

/** Returns the handler of an erasure. */
export const eraseHandler =
  (parts: eraseHandler.Parts): Handler<'erase'> =>
  async (request, reply) => {
    const id = tokenId(request.params.tokenId)
    const isSigned = claimsProof(request.headers)
    const owner = isSigned ? signerOf(parts, request, id) : agentOf(parts, request, 'write')
    const { erasedAt, isRemoved } = await parts.erasing({ tokenId: id, ...owner })
    reply.header('cache-control', 'no-store')
    return { tokenId: `${id}`, erasedAt: `${toSeconds(erasedAt)}`, isRemoved }
  }

type Owner = Omit<erase.Input, 'tokenId'>

function signerOf(parts: eraseHandler.Parts, request: FastifyRequest, id: TokenId): Owner {
  const { account, timestamp, signature } = readProof(request.headers, sealProofHeaders)
  const place = signedPlaceOf(parts, request)
  const message = eraseText(place, { tokenId: `${id}`, account, timestamp })
  return { account, proof: { timestamp, signature, message } }
}

/** The parts that find the wallet that acts for a request without a proof. */
export type AgentParts = Pick<eraseHandler.Parts, 'keys' | 'config' | 'agentFor'>

/**
 * Returns the wallet of an API key, or of the operator of a local server, as the owner of its memories.
 *
 * @throws `proof/missing` unless the key is that of an administrator, or has the scope in its tenant
 */
export function agentOf(
  { keys, config, agentFor }: AgentParts,
  { caller }: FastifyRequest,
  ofTenant: Scope,
): { readonly account: Account } {
  // Without keys anyone could be there whom the network lets in.
  if (keys.isRequired || !isLocalOnly(config)) requireOwnerKey(caller, ofTenant)
  return { account: agentFor(caller) }
}

/** Refuses a caller without the right as one without a proof: an owner needs no API key. */
function requireOwnerKey(caller: ApiKey | undefined, ofTenant: Scope): void {
  // No key of a tenant is an administrator; what it may write is its own.
  const needed = caller?.tenant === undefined ? 'admin' : ofTenant
  if (caller !== undefined && allows(caller, needed)) return
  throw new Failure('proof/missing', { header: sealProofHeaders.account })
}
