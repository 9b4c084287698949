import { fillPath, type OperationName, routeOf } from '../../api/operations/paths.ts'
import { mapPrices, type Prices } from '../../api/prices.ts'
import { hexOf } from '../content-hash.ts'
import { HeirloomError } from '../heirloom-error.ts'
import type { AmountInput, TokenIdInput } from '../requests.ts'

/** A value that a caller passed, and the name of the field that it was for, such as `dollars.price`. */
type Field = { readonly kind: string; readonly field: string; readonly value: unknown }

/** Returns the failure for a value that cannot be sent; nothing was. */
export function invalidValue({ kind, field, value }: Field): HeirloomError<'value/invalid'> {
  const problem =
    kind === 'URL' ? 'begins with http:// or https://' : 'is a decimal without sign or leading zero'
  const given = describeValue(value)
  return new HeirloomError({
    code: 'value/invalid',
    facts: { kind, problem, field, given },
    message: `${field} is ${given}; ${advice[kind] ?? ''}.`,
  })
}

const advice: Readonly<Record<string, string>> = {
  'token id': 'give the id of a token as a number, a bigint or a decimal string',
  URL: 'give it with http:// or https://, as in http://localhost:3000',
  amount: 'give an amount of 0 or more as a bigint or a decimal string, without a point or a unit',
}

/** Returns a value as text; a long text, which may be a secret in the wrong place, as its length. */
function describeValue(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'string') {
    return value.length <= 40 ? JSON.stringify(value) : `a text of ${value.length} characters`
  }
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? 'a list' : 'an object'
  return String(value)
}

/**
 * Checks a private name. The server checks more: texts that mislead their reader.
 *
 * @throws `name/malformed`
 */
export function requireName(name: string): void {
  const problem = problemOf(name)
  if (problem === undefined) return
  throw malformedName(name, `${problem}; write it like ada or ada/trading, in lower case`, problem)
}

/** Returns the failure for a name that cannot be used, with its problem in the words of a sentence. */
export const malformedName = (name: string, words: string, problem = words) =>
  new HeirloomError({
    code: 'name/malformed',
    facts: { problem },
    message: `The name ${describeValue(name)} ${words}.`,
  })

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

const decimal = /^(0|[1-9][0-9]{0,77})$/

/**
 * Encodes a token id as the decimal string of the API.
 *
 * @throws `value/invalid`
 */
export function encodeTokenId(id: TokenIdInput, field = 'tokenId'): string {
  const given = { kind: 'token id', field, value: id }
  if (typeof id === 'number' && !Number.isSafeInteger(id)) throw invalidValue(given)
  return requireDecimal(given)
}

/**
 * Encodes an amount as the decimal string of the API.
 *
 * @throws `value/invalid`
 */
export function encodeAmount(amount: AmountInput, field: string): string {
  return requireDecimal({ kind: 'amount', field, value: amount })
}

// The client checks too, because an id becomes part of a path.
function requireDecimal(given: Field): string {
  const text = String(given.value)
  if (!decimal.test(text)) throw invalidValue(given)
  return text
}

/** Encodes the prices of a listing, which are members of `parent` if that is given. */
export const encodePrices = (prices: Prices<AmountInput>, parent = ''): Prices<string> =>
  mapPrices(prices, (amount, name) => encodeAmount(amount, `${parent}${name}`))

/** Encodes a value as JSON in UTF-8. */
export const encodeJson = (value: unknown): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify(value))

/**
 * Returns the method and the path of an operation, with the values of the parameters in their order.
 *
 * @throws `value/invalid`, `name/malformed`
 */
export function requestLine(
  name: OperationName,
  ...values: readonly (TokenIdInput | undefined)[]
): ReturnType<typeof routeOf> {
  const { method, path } = routeOf(name)
  const rest = [...values]
  const encodeNext = (parameter: string) => {
    const value = rest.shift() ?? ''
    if (parameter === 'name') requireName(`${value}`)
    return parameter === 'tokenId' ? encodeTokenId(value) : value
  }
  return { method, path: fillPath(path, encodeNext) }
}

const byGrant = {
  download: 'grantedDownload',
  outline: 'grantedOutline',
  part: 'grantedPart',
  searchIn: 'grantedSearchIn',
} as const

/** Returns the method and the path of a read of a memory, by a grant if one is given. */
export const memoryLine = (
  name: keyof typeof byGrant,
  id: TokenIdInput,
  grant: string | undefined,
): ReturnType<typeof routeOf> =>
  grant === undefined ? requestLine(name, id) : requestLine(byGrant[name], grant, id)

/** Returns a new idempotency key: 32 hex digits. */
// A page loaded over plain HTTP has no `randomUUID`.
export const idempotencyKey = (): string =>
  hexOf(crypto.getRandomValues(new Uint8Array(16))).slice(2)

/** Returns the idempotency header of a write; its value is a string of RFC 8941. */
export const idempotencyHeaders = (key: string): Record<string, string> => ({
  'idempotency-key': `"${key.replace(/["\\]/g, '\\$&')}"`,
})
