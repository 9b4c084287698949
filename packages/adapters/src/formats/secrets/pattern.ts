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

/** Matches the placeholder of a redacted secret: `(redacted-1)`. */
export const redactionMarker = /\(redacted-\d+\)/g

const variableName = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/

const reference =
  /^(?:\$[({]|\$[A-Z_]+$|\{\{|%[A-Z_]+%|<[^<>]*>$|op:\/\/|env:|process\.|os\.|getenv|secrets\.)/

const prompt =
  /^\W{0,3}(?:your|insert|enter|example|changeme|placeholder|redacted|none|null|undefined|string|required|optional|replace)(?![a-z])/i

const sampleName = /^my[-_ ]?(?:api[-_ ]?key|password|secret|token)$/i

const secretWord = /^(?:pass|password|passwd|secret|hidden)$/i

/** A row of one letter or sign, or three dots, in the place of what was left out. */
const leftOut = /x{8,}|X{8,}|\*{4,}|0{16,}|\.{3}$|…/

const repeatedCharacter = /^(.)\1*$/

const typeName = /^(?:u?int|bytes|str|string|float|bool)\d{0,3}$/i

/** The translation of a label, such as `Passwort`. */
const label = /^\p{Lu}\p{Ll}+$/u

/**
 * Returns whether a text in the position of a secret is not a secret: the name of a variable, a
 * reference to a secret store, a prompt for the secret, or the placeholder of a redacted one.
 */
export function isPlaceholder(text: string): boolean {
  const rest = text.replaceAll(redactionMarker, '')
  if (rest.length < 3) return true
  return [
    variableName,
    reference,
    prompt,
    sampleName,
    secretWord,
    leftOut,
    repeatedCharacter,
    typeName,
    label,
  ].some((it) => it.test(rest))
}
