import { tokenId } from '@heirloom/core'
import { shownValue } from '../../api/shown-value.ts'
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
    throw new UsageError(
      `${name} must be the number of a token, such as 7${shownValue(text)}.${nameAdvice(text)}`,
    )
  }
}

/** Returns how the tokens of a private name are found, for a text that may be one. */
const nameAdvice = (text: string): string =>
  /^[a-z][\w-]{0,19}(\/[\w-]{1,20})?$/i.test(text) && shownValue(text) !== ''
    ? ` If that is a private name, heirloom log ${text} lists its tokens.`
    : ''
