import { Failure } from '../failure.ts'
import type { Account } from './branded.ts'
import { misleadingText } from './misleading-text.ts'

declare const brand: unique symbol

/** The private name of a line of versions: a path of segments, such as `ada` or `ada/trading`. */
export type Name = string & { readonly [brand]: 'Name' }

/** A name and who it belongs to: names of different owners have nothing to do with each other. */
export type OwnedName = {
  /** An API key, a tenant, an account or the operator, as a text of one line. */
  readonly owner: string
  readonly name: Name
}

/** Returns the owner of the names that are those of an account. */
export const ownerOfAccount = (account: Account): string => `account ${account.toLowerCase()}`

/** Returns the account, in lower case, whose names an owner has; `undefined` for another owner. */
export const accountOf = (owner: string): Account | undefined =>
  owner.startsWith('account ') ? (owner.slice('account '.length) as Account) : undefined

/** The most UTF-16 code units of a name, and of one of its segments. */
export const longestName = { name: 128, segment: 64 }

const segment = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]*$/u

/**
 * Parses a name: 1 to 128 characters, in segments of 1 to 64 between slashes. A segment has letters,
 * digits, `.`, `_` and `-`, and begins with a letter, a digit or `_`. Letters are lower case and
 * composed (NFC), so that one text has one spelling; letters of different scripts may still look alike.
 * A number is no name: it would be taken for the id of a token.
 *
 * @throws `name/malformed`
 */
export function name(text: string): Name {
  const problem = nameProblem(text)
  if (problem !== undefined) throw new Failure('name/malformed', { problem })
  return text as Name
}

/** Returns why a text is no name; `undefined` for a name. */
export function nameProblem(text: string): string | undefined {
  if (text === '') return 'is empty'
  if (/^\d+$/.test(text)) return 'is a number, which is taken for the id of a token'
  if (text.length > longestName.name) return `has more than ${longestName.name} characters`
  const misleading = misleadingText(text)
  if (misleading !== undefined) return misleading
  if (text !== text.toLowerCase()) return 'has capital letters'
  if (text !== text.normalize('NFC')) return 'has letters that are not composed (NFC)'
  const problems = text.split('/').map(problemOfSegment)
  return problems.find((problem) => problem !== undefined)
}

function problemOfSegment(text: string): string | undefined {
  if (text === '') return 'has an empty segment, by a slash at an end or two in a row'
  if (text.length > longestName.segment) {
    return `has a segment of more than ${longestName.segment} characters`
  }
  if (segment.test(text)) return undefined
  return /^[\p{L}\p{N}._\p{M}-]*$/u.test(text)
    ? 'has a segment that does not begin with a letter, a digit or "_"'
    : 'has something else than letters, digits, ".", "_" and "-"'
}

/** Returns the text of an owned name that is sealed into each version of its line. */
export const lineName = ({ owner, name }: OwnedName): string => `${owner}\n${name}`

/** Reads the text that `lineName` returned; `undefined` for any other text. */
export function readLineName(text: string): OwnedName | undefined {
  const at = text.indexOf('\n')
  const [owner, rest] = [text.slice(0, at), text.slice(at + 1)]
  return at > 0 && nameProblem(rest) === undefined ? { owner, name: rest as Name } : undefined
}
