import type { Account } from './account.ts'

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
