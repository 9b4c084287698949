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
