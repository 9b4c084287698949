import { type TokenId, tokenId } from '@heirloom/core'

/**
 * Reads the parent of a new token; absent or `0` for a root.
 *
 * @throws `value/invalid`
 */
export function readParent(text = '0'): TokenId | undefined {
  const parent = tokenId(text)
  return parent === 0n ? undefined : parent
}
