import { isPlaceholder } from './placeholder.ts'
import type { Secret } from './secret.ts'

/**
 * A pattern of secrets. The secret is the group at the end of the match, or else the whole match.
 */
export type Pattern = {
  readonly kind: string
  readonly pattern: RegExp
  readonly accepts?: (secret: string, whole: string) => boolean
  /** Whether nothing but its length or a sign ends the match: the secret goes on to the end of its run. */
  readonly isOpen?: true
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

/**
 * Matches what goes on after a secret without white space: a sign such as a comma is part of it where
 * neither a space nor another pair of name and value follows.
 */
const rest = /(?:[\w+/=.~!#$%*?@^-]|[,;:|&](?=[!-~])(?![\w.-]{1,40}\s{0,2}[=:]))*/y

/** Matches the signs at the end of a run that are those of the sentence. */
const endOfSentence = /[.!?:,;|&]+$/

/** Returns the end of the run that a secret stands in. */
function endOfRun(text: string, end: number): number {
  rest.lastIndex = end
  return end + (rest.exec(text)?.[0].replace(endOfSentence, '').length ?? 0)
}

/** Finds the secrets in a text that match a pattern. */
export function findMatches(
  text: string,
  { kind, pattern, accepts = isReal, isOpen }: Pattern,
): readonly Secret[] {
  const found: Secret[] = []
  let last = 0
  for (const match of text.matchAll(pattern)) {
    const [whole, secret = whole] = match
    const matched = match.index + whole.length
    // What begins within a secret is part of it.
    if (match.index < last || !accepts(secret, whole)) continue
    const [start, end] = [matched - secret.length, isOpen ? endOfRun(text, matched) : matched]
    found.push({ kind, text: text.slice(start, end), parts: [[start, end]] })
    last = end
  }
  return found
}
