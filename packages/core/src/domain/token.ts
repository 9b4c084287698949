import { Failure } from '../failure.ts'
import { inRange, readDecimal } from './decimal.ts'

declare const brand: unique symbol

/** The number of a provenance token (ERC-721 `tokenId`); the first one minted is 1. */
export type TokenId = bigint & { readonly [brand]: 'TokenId' }

/**
 * Returns the token id, or reads it from a canonical decimal string.
 *
 * @throws `value/invalid`
 */
export function tokenId(id: bigint | string): TokenId {
  return (typeof id === 'string' ? readDecimal(id, 'token id') : inRange(id, 'token id')) as TokenId
}

/**
 * Returns what a ledger knows of a token.
 *
 * @throws `token/not-found` when it knows nothing
 */
export function existing<T>(id: TokenId, found: T | undefined): T {
  if (found === undefined) throw new Failure('token/not-found', { tokenId: id })
  return found
}
