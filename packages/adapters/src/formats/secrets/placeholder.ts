/** What stands in place of a secret that was taken out: `(redacted-1)`. */
export const marker = /\(redacted-\d+\)/g

const variable = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/
const reference =
  /^(?:\$[({]|\$[A-Z_]+$|\{\{|%[A-Z_]+%|<[^<>]*>$|op:\/\/|env:|process\.|os\.|getenv|secrets\.)/
const request =
  /^\W{0,3}(?:your|insert|enter|example|changeme|placeholder|redacted|none|null|undefined|string|required|optional)\b/i
const named = /^my[-_ ]?(?:api[-_ ]?key|password|secret|token)$/i
const word = /^(?:pass|password|passwd|secret|hidden)$/i
const repeated = /^(.)\1*$/

/**
 * Tells whether what stands where a secret would is none: the name of a variable, a reference to
 * where it is kept, words that ask for it, or what was left when it was taken out.
 */
export function isPlaceholder(text: string): boolean {
  const rest = text.replaceAll(marker, '')
  if (rest.length < 3) return true
  return [variable, reference, request, named, word, repeated].some((it) => it.test(rest))
}
