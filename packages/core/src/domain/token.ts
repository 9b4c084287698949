import { Failure } from '../failure.ts'
import { inRange, readDecimal } from './decimal.ts'

declare const brand: unique symbol

/** The id of a token (ERC-721 `tokenId`); the first token has the id 1. */
export type TokenId = bigint & { readonly [brand]: 'TokenId' }

/**
 * Returns the token id, or parses it from a canonical decimal string.
 *
 * @throws `value/invalid`
 */
export function tokenId(id: bigint | string): TokenId {
  return (typeof id === 'string' ? readDecimal(id, 'token id') : inRange(id, 'token id')) as TokenId
}

/**
 * Returns `found`, the result of a lookup of a token.
 *
 * @throws `token/not-found` when it is `undefined`
 */
export function requireFound<T>(id: TokenId, found: T | undefined): T {
  if (found === undefined) throw new Failure('token/not-found', { tokenId: id })
  return found
}
