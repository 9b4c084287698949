import { createRequire } from 'node:module'
import { type EventKind, eventKinds, tokenId } from '@heirloom/core'
import type * as Viem from 'viem'
import { shownValue } from '../../api/shown-value.ts'
import { type Call, type Options, UsageError, withValue } from './command.ts'
import { joinWords } from './read-call.ts'

/** Returns an object without its members that are undefined. */
export function omitUndefined<T extends object>(
  members: T,
): { readonly [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [Name in keyof T]?: Exclude<T[Name], undefined> }
}

/** Reads an option that may be absent. */
export function readOptional<T>(
  reader: (name: string, text: string) => T,
  name: string,
  text: string | undefined,
): T | undefined {
  return text === undefined ? undefined : reader(name, text)
}

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

/**
 * Reads the address of a wallet or a contract.
 *
 * @throws a `UsageError` that names the option
 */
export function readAddress(name: string, text: string): `0x${string}` {
  if (/^0x[0-9a-f]{40}$/i.test(text)) {
    if (hasChecksum(text)) return text as `0x${string}`
    throw new UsageError(`${name} has a typing error: its checksum is wrong.`)
  }
  throw new UsageError(
    `${name} must be an address: 0x and 40 hexadecimal digits${shownValue(text)}.`,
  )
}

/** Returns whether an address is in one case, or in mixed case as its checksum (EIP-55) wants it. */
function hasChecksum(address: string): boolean {
  const digits = address.slice(2)
  if ([digits.toLowerCase(), digits.toUpperCase()].includes(digits)) return true
  // Loaded only here, and at once: most commands read no address in mixed case.
  const { isAddress }: typeof Viem = createRequire(import.meta.url)('viem')
  return isAddress(`0x${digits}`)
}

/** Reads the category of a memory, which is any text but an empty one. @throws a `UsageError` */
export function readCategory(option: string, text: string): string {
  if (text.trim() !== '') return text
  throw new UsageError(`${option} must not be empty.`)
}

/** The least and the greatest number that an option may have. */
type Range = { readonly least: number; readonly most: number }

const anyNumber: Range = { least: 0, most: 999_999_999 }

/**
 * Reads an optional whole number.
 *
 * @throws a `UsageError` that names the option and its range
 */
export function readCount(
  option: string,
  text: string | undefined,
  { least, most }: Range = anyNumber,
): number | undefined {
  if (text === undefined) return undefined
  const number = /^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  const range = most === anyNumber.most ? 'such as 20' : `from ${least} to ${most}`
  throw new UsageError(`${option} must be a whole number, ${range}${shownValue(text)}.`)
}

/** Reads kinds of events, separated by commas. @throws a `UsageError` */
export const readKinds = (name: string, text: string): EventKind[] =>
  text.split(',').map((word) => readKind(name, word))

function readKind(name: string, text: string): EventKind {
  const known = eventKinds.find((it) => it === text)
  if (known !== undefined) return known
  const kinds = joinWords(eventKinds, 'or')
  throw new UsageError(
    `${name} must be ${kinds}, or several separated by commas${shownValue(text)}.`,
  )
}

/** Reads the id of a grant. @throws a `UsageError` */
export function readGrant(name: string, text: string): `0x${string}` {
  if (/^0x[0-9a-f]{64}$/i.test(text)) return text.toLowerCase() as `0x${string}`
  throw new UsageError(`${name} must be the id of a grant, 0x and 64 digits${shownValue(text)}.`)
}

/** The options of every command that shows one page of results. */
export const pageOptions = {
  limit: withValue('N', 'The number of results, 1 to 100. Default: 20.'),
  after: withValue('CURSOR', 'Continue after an earlier page.'),
} as const satisfies Options

/** Reads the options of a page. @throws a `UsageError` */
export const readPage = ({ limit, after }: Call<never, typeof pageOptions>['options']) =>
  omitUndefined({ after, limit: readCount('--limit', limit, { least: 1, most: 100 }) })

/** Returns the line that says how to see the next page, if there is one. */
export const moreLine = (next: string | null): readonly string[] =>
  next === null ? [] : [`More with --after ${next}`]
