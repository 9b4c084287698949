import { type Challenge, challenge } from '@heirloom/core'
import type { FastifyRequest } from 'fastify'
import { boundText } from '../../api/bound-text.ts'
import type { Config } from '../../config/config.ts'
import { hostOf } from '../plugins/require-own-host.ts'
import { isLoopback } from '../../config/loopback.ts'
import type { Deployment } from '../routes/deployment.ts'

/** The ways to prove an account: by the interface's own text, or by one that names this server. */
export const proofKinds = ['eip191', 'eip4361'] as const
export type ProofKind = (typeof proofKinds)[number]

/** Which proofs a server takes. */
export type ProofGate = {
  /** Returns where the server is, as a bound proof names it; absent where it cannot know. */
  readonly originOf: (request: FastifyRequest) => string | undefined
  /** Returns which kinds of proof a request may carry. */
  readonly kindsOf: (request: FastifyRequest) => readonly ProofKind[]
  /** Returns the texts of which a request must prove one, in the order to try them. */
  readonly challengesOf: (request: FastifyRequest) => readonly Challenge[]
}

export declare namespace proofGate {
  type Settings = Partial<Pick<Config, 'publicUrl' | 'requireBoundProof'>> & Pick<Config, 'host'>
}

/**
 * Returns which proofs a server takes. Where it is comes from its operator; a `Host` is believed on
 * loopback alone, where it is checked, port included, before anything else of a request.
 */
export function proofGate(
  { host, publicUrl, requireBoundProof = false }: proofGate.Settings,
  { chainId, registry }: Pick<Deployment, 'chainId' | 'registry'>,
): ProofGate {
  const originOf = ({ raw }: FastifyRequest): string | undefined =>
    publicUrl ?? (isLoopback(host) ? new URL(`http://${hostOf(raw)}`).origin : undefined)
  const plain = requireBoundProof ? [] : [challenge]
  return {
    originOf,
    kindsOf: (request) => [
      ...(requireBoundProof ? [] : (['eip191'] as const)),
      ...(originOf(request) === undefined ? [] : (['eip4361'] as const)),
    ],
    challengesOf: (request) => {
      const origin = originOf(request)
      if (origin === undefined) return plain
      const bound: Challenge = (tokenId, { account: address, timestamp }) =>
        boundText({ origin, chainId, registry }, { tokenId: `${tokenId}`, address, timestamp })
      return [...plain, bound]
    },
  }
}
