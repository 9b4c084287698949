import { HeirloomError } from '../heirloom-error.ts'
import { describeValue } from './invalid-value.ts'

/**
 * Checks a private name. The server checks more: texts that mislead their reader.
 *
 * @throws `name/malformed`
 */
export function requireName(name: string): void {
  const problem = problemOf(name)
  if (problem === undefined) return
  throw new HeirloomError({
    code: 'name/malformed',
    facts: { problem },
    message: `The name ${describeValue(name)} ${problem}; write it like ada or ada/trading, in lower case.`,
  })
}

const segment = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]*$/u

function problemOf(name: string): string | undefined {
  if (typeof name !== 'string') return 'is no text'
  if (name === '') return 'is empty'
  if (name.length > 128) return 'has more than 128 characters'
  if (name !== name.toLowerCase()) return 'has capital letters'
  if (name !== name.normalize('NFC')) return 'has letters that are not composed (NFC)'
  const parts = name.split('/')
  if (parts.includes('')) return 'has an empty segment, by a slash at an end or two in a row'
  if (parts.some((it) => it.length > 64)) return 'has a segment of more than 64 characters'
  if (parts.every((it) => segment.test(it))) return undefined
  return 'has a segment that does not begin with a letter, a digit or "_", or has something else than letters, digits, ".", "_" and "-"'
}
