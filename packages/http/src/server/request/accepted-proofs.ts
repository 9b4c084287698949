import { type Challenge, challenge } from '@heirloom/core'
import type { FastifyRequest } from 'fastify'
import { type Binding, boundText } from '../../api/signed-texts.ts'
import type { Config } from '../../config/config.ts'
import { isLocalOnly, type Reach } from '../../config/read-access.ts'
import { hostOf } from '../plugins/require-own-host.ts'

/** The kinds of proof: the plain text of the interface, or an EIP-4361 text that names this server. */
export const proofKinds = ['eip191', 'eip4361'] as const
export type ProofKind = (typeof proofKinds)[number]

/** The rules of which proofs a server accepts. */
export type AcceptedProofs = {
  /** Returns the origin of the server, which a bound proof names; absent where it is unknown. */
  readonly originOf: (request: FastifyRequest) => string | undefined
  /** The kinds of proof that a request may carry. */
  readonly kinds: readonly ProofKind[]
  /** Returns the texts that a request may have signed, in the order in which they are tried. */
  readonly challengesOf: (request: FastifyRequest) => readonly Challenge[]
}

export declare namespace acceptedProofs {
  type Settings = Reach & Partial<Pick<Config, 'requireBoundProof'>>
}

/**
 * Returns the rules of a server. Its origin is the configured one; the `Host` of a request is trusted
 * only where no other machine reaches the server, and it was verified before, including its port.
 */
export function acceptedProofs(
  config: acceptedProofs.Settings,
  { chainId, registry }: Omit<Binding, 'origin'>,
): AcceptedProofs {
  const { publicUrl, requireBoundProof = false } = config
  const ownOrigin =
    publicUrl !== undefined || isLocalOnly(config)
      ? ({ raw }: FastifyRequest) => publicUrl ?? new URL(`http://${hostOf(raw)}`).origin
      : undefined
  const plain = requireBoundProof ? [] : [challenge]
  return {
    originOf: (request) => ownOrigin?.(request),
    kinds: [
      ...(requireBoundProof ? [] : (['eip191'] as const)),
      ...(ownOrigin === undefined ? [] : (['eip4361'] as const)),
    ],
    challengesOf: (request) => {
      if (ownOrigin === undefined) return plain
      // The origin is computed only if the plain text was not signed.
      const bound: Challenge = (tokenId, { account: address, timestamp }) =>
        boundText(
          { origin: ownOrigin(request), chainId, registry },
          { tokenId: `${tokenId}`, address, timestamp },
        )
      return [...plain, bound]
    },
  }
}
