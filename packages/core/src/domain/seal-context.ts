import { Failure } from '../failure.ts'
import { type Account, sameAccount } from './account.ts'

/** A registry of memories on one chain. */
export type Registry = {
  /** The id of its chain (EIP-155). */
  readonly chainId: number
  readonly address: Account
}

/**
 * The registry that a sealed bundle is for, and the account that may mint it there. It is public,
 * and the envelope authenticates it: a token whose source has another creator, or is in another
 * registry, shows a copy.
 */
export type SealContext = { readonly registry: Registry; readonly creator: Account }

/** Tells whether two contexts name one chain, one registry and one creator. */
export function sameContext(one: SealContext, other: SealContext): boolean {
  return (
    one.registry.chainId === other.registry.chainId &&
    sameAccount(one.registry.address, other.registry.address) &&
    sameAccount(one.creator, other.creator)
  )
}

/**
 * Refuses to open a bundle in another context than the one it was sealed for.
 *
 * @throws `access/copied`
 */
export function refuseCopy(sealedFor: SealContext, context: SealContext): void {
  if (sameContext(sealedFor, context)) return
  const { registry, creator } = sealedFor
  throw new Failure('access/copied', {
    chainId: registry.chainId,
    registry: registry.address,
    creator,
  })
}
