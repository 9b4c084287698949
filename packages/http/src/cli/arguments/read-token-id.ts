import { tokenId } from '@heirloom/core'
import { UsageError } from './usage-error.ts'

/**
 * Reads the number of a token.
 *
 * @throws a `UsageError` that names the argument
 */
export function readTokenId(name: string, text: string): string {
  try {
    return `${tokenId(text)}`
  } catch {
    throw new UsageError(`${name} must be the number of a token, such as 7.`)
  }
}
