import { Failure } from '@heirloom/core'
import type { FastifyRequest } from 'fastify'
import type { SignedPlace } from '../../api/signed-place.ts'
import type { Deployment } from '../operations/deployment.ts'
import type { ProofGate } from './proof-gate.ts'

type Parts = {
  readonly gate: Pick<ProofGate, 'originOf'>
  readonly deployment: Pick<Deployment, 'chainId' | 'registry'>
}

/**
 * Returns the place that a request to this server must be signed for.
 *
 * @throws `seal/not-offered` where the server does not know its own origin
 */
export function signedPlaceOf(
  { gate, deployment: { chainId, registry } }: Parts,
  request: FastifyRequest,
): SignedPlace {
  const origin = gate.originOf(request)
  if (origin === undefined) throw new Failure('seal/not-offered', { setting: 'PUBLIC_URL' })
  return { host: new URL(origin).host, chainId, registry }
}
