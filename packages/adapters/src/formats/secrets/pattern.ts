import { isPlaceholder } from './placeholder.ts'
import type { Secret } from './secret.ts'

/**
 * A pattern of secrets. The secret is the group at the end of the match, or else the whole match.
 */
export type Pattern = {
  readonly kind: string
  readonly pattern: RegExp
  readonly accepts?: (secret: string, whole: string) => boolean
}

/** The kind of secrets that a name or a sentence tells of. */
export const password = 'a password or key'

/** Returns whether a text is no placeholder. */
export const isReal = (secret: string): boolean => !isPlaceholder(secret)

/** Returns whether a text is no placeholder and has a digit, as few words of a sentence have. */
export const hasDigit = (secret: string): boolean => /\d/.test(secret) && isReal(secret)

/** Returns whether letters and digits are mixed as in a generated value, not as in a path or a name. */
export function isRandom(text: string): boolean {
  return (
    /[a-z]/i.test(text) && /\d/.test(text) && !/^[/.~]|:\/\/|\.\w{2,4}$/.test(text) && isReal(text)
  )
}

/** Returns whether a text is the base64 of a user's name and a password (RFC 7617). */
export function hasCredentials(text: string): boolean {
  try {
    return /^[\x20-\x7e]{1,100}:[\x20-\x7e]{3,}$/.test(atob(text))
  } catch {
    return false
  }
}

/** Finds the secrets in a text that match a pattern. */
export function findMatches(
  text: string,
  { kind, pattern, accepts = isReal }: Pattern,
): readonly Secret[] {
  return [...text.matchAll(pattern)].flatMap((match): readonly Secret[] => {
    const [whole, secret = whole] = match
    const end = match.index + whole.length
    if (!accepts(secret, whole)) return []
    return [{ kind, text: secret, parts: [[end - secret.length, end]] }]
  })
}
