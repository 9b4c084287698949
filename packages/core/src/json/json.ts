import { Failure } from '../failure.ts'
import { decodeUtf8, isSequence, sequenceLength } from './utf8.ts'

declare const brand: unique symbol

/** The exact UTF-8 bytes of one JSON value. */
export type JsonText = Uint8Array & { readonly [brand]: 'JsonText' }

/** The members of a JSON object by name, each as its exact text. */
export type JsonMembers = ReadonlyMap<string, JsonText>

/** The maximum nesting depth of a JSON text. */
export const maxJsonDepth = 1000

/**
 * Reads a JSON object (RFC 8259, UTF-8) and preserves its texts: numbers, escapes, key order and
 * white space inside a member do not change.
 *
 * @param most The most members; any number when absent.
 * @throws `json/malformed`, `json/duplicate-member` at the top level, `json/too-deep`,
 * `request/malformed` for more members than `most`
 */
export function readMembers(bytes: Uint8Array, most = Number.POSITIVE_INFINITY): JsonMembers {
  const members = new Map<string, JsonText>()
  let at = afterSpace(bytes, afterByte(bytes, afterSpace(bytes, 0), braceOpen))
  if (bytes[at] !== braceClose) {
    at = readMember(bytes, at, members)
    while (bytes[at] === comma) {
      if (members.size === most) throw tooManyMembers(most)
      at = readMember(bytes, afterSpace(bytes, at + 1), members)
    }
  }
  const end = afterSpace(bytes, afterByte(bytes, at, braceClose))
  if (end !== bytes.length) refuse(end)
  return members
}

const tooManyMembers = (most: number) =>
  new Failure('request/malformed', { where: 'body', problem: `has more than ${most} members` })

/** Returns the value of a JSON text. */
export function parseJson(text: JsonText): unknown {
  return JSON.parse(decodeUtf8(text))
}

/** Returns whether a JSON text is an object. */
export function isObject(text: JsonText): boolean {
  return text[0] === braceOpen
}

const quote = 0x22
const comma = 0x2c
const minus = 0x2d
const dot = 0x2e
const zero = 0x30
const colon = 0x3a
const bracketOpen = 0x5b
const backslash = 0x5c
const bracketClose = 0x5d
const braceOpen = 0x7b
const braceClose = 0x7d

const codes = (text: string) => Uint8Array.from([...text], (it) => it.charCodeAt(0))
const literals = ['true', 'false', 'null'].map(codes)

// A table lookup is faster than comparisons, and most bytes of a memory are plain.
const plain = tableOf((byte) => byte >= 0x20 && byte < 0x80 && byte !== quote && byte !== backslash)
const digits = tableOf((byte) => byte >= zero && byte <= 0x39)
const spaces = tableOf(isIn(' \t\n\r'))
const escapes = tableOf(isIn('"\\/bfnrt'))
const hexDigits = tableOf(isIn('0123456789abcdefABCDEF'))

function isIn(text: string): (byte: number) => boolean {
  const all = codes(text)
  return (byte) => all.includes(byte)
}

function tableOf(isMember: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (isMember(byte) ? 1 : 0))
}

function isInTable(table: Uint8Array, byte: number | undefined): boolean {
  return byte !== undefined && table[byte] === 1
}

// Each function below takes the position where a part begins and returns the position after it.
function afterRun(bytes: Uint8Array, start: number, table: Uint8Array): number {
  let at = start
  const { length } = bytes
  while (at < length && table[bytes[at] as number] === 1) at++
  return at
}

function refuse(at: number): never {
  throw new Failure('json/malformed', { at })
}

/** Returns the position after a byte that must be there; throws `json/malformed` otherwise. */
export function afterByte(bytes: Uint8Array, at: number, byte: number): number {
  if (bytes[at] !== byte) refuse(at)
  return at + 1
}

/** Returns the position after white space, if there is any. */
export function afterSpace(bytes: Uint8Array, at: number): number {
  return isInTable(spaces, bytes[at]) ? afterRun(bytes, at, spaces) : at
}

function readMember(bytes: Uint8Array, start: number, members: Map<string, JsonText>): number {
  const value = afterName(bytes, start)
  const name = String(parseJson(bytes.subarray(start, afterString(bytes, start)) as JsonText))
  const end = afterValue(bytes, value)
  if (members.has(name)) throw new Failure('json/duplicate-member', { member: name.slice(0, 100) })
  members.set(name, bytes.subarray(value, end) as JsonText)
  return afterSpace(bytes, end)
}

/** Returns the position after the name of a member, its colon and the space around the colon. */
function afterName(bytes: Uint8Array, start: number): number {
  const at = afterSpace(bytes, afterString(bytes, start))
  return afterSpace(bytes, afterByte(bytes, at, colon))
}

/** The open objects and arrays around a value; the outermost object counts. */
type Nest = { depth: number; readonly closes: number[] }

function afterValue(bytes: Uint8Array, start: number): number {
  const nest: Nest = { depth: 1, closes: [0, 0] }
  let at = start
  do {
    const byte = bytes[at]
    if (byte === braceOpen || byte === bracketOpen) at = afterOpening(bytes, at, nest)
    else at = afterEnds(bytes, afterScalar(bytes, at), nest)
  } while (nest.depth > 1)
  return at
}

/** Returns the position of the first value inside, or the position after an empty container. */
function afterOpening(bytes: Uint8Array, start: number, nest: Nest): number {
  if (++nest.depth > maxJsonDepth) throw new Failure('json/too-deep', { limit: maxJsonDepth })
  const close = bytes[start] === braceOpen ? braceClose : bracketClose
  nest.closes[nest.depth] = close
  const at = afterSpace(bytes, start + 1)
  if (bytes[at] === close) return afterEnds(bytes, at, nest)
  return close === braceClose ? afterName(bytes, at) : at
}

/** Skips the closing brackets after a value and the comma before the next value. */
function afterEnds(bytes: Uint8Array, start: number, nest: Nest): number {
  let at = start
  while (nest.depth > 1) {
    at = afterSpace(bytes, at)
    const close = nest.closes[nest.depth] as number
    if (bytes[at] === comma) return afterComma(bytes, at, close)
    at = afterByte(bytes, at, close)
    nest.depth--
  }
  return at
}

function afterComma(bytes: Uint8Array, comma: number, close: number): number {
  const at = afterSpace(bytes, comma + 1)
  return close === braceClose ? afterName(bytes, at) : at
}

/** Returns the position after a string, a number or a literal; throws `json/malformed`. */
export function afterScalar(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]
  if (byte === quote) return afterString(bytes, at)
  return byte === minus || isInTable(digits, byte)
    ? afterNumber(bytes, at)
    : afterLiteral(bytes, at)
}

/** Returns the position after a string; throws `json/malformed`. */
export function afterString(bytes: Uint8Array, start: number): number {
  let at = afterRun(bytes, afterByte(bytes, start, quote), plain)
  while (bytes[at] !== quote) {
    at = bytes[at] === backslash ? afterEscape(bytes, at) : afterSequence(bytes, at)
    at = afterRun(bytes, at, plain)
  }
  return at + 1
}

function afterSequence(bytes: Uint8Array, at: number): number {
  if (!isSequence(bytes, at)) refuse(at)
  return at + sequenceLength(bytes[at] as number)
}

function afterEscape(bytes: Uint8Array, start: number): number {
  const at = start + 1
  if (isInTable(escapes, bytes[at])) return at + 1
  if (bytes[at] !== 0x75) refuse(at)
  for (let digit = 1; digit <= 4; digit++) {
    if (!isInTable(hexDigits, bytes[at + digit])) refuse(at + digit)
  }
  return at + 5
}

function afterNumber(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === minus ? start + 1 : start
  at = bytes[at] === zero ? at + 1 : afterDigits(bytes, at)
  if (bytes[at] === dot) at = afterDigits(bytes, at + 1)
  return bytes[at] === 0x65 || bytes[at] === 0x45 ? afterExponent(bytes, at) : at
}

function afterExponent(bytes: Uint8Array, start: number): number {
  const sign = bytes[start + 1]
  return afterDigits(bytes, sign === minus || sign === 0x2b ? start + 2 : start + 1)
}

function afterDigits(bytes: Uint8Array, start: number): number {
  const at = afterRun(bytes, start, digits)
  if (at === start) refuse(at)
  return at
}

function afterLiteral(bytes: Uint8Array, start: number): number {
  const word = literals.find((candidate) => candidate[0] === bytes[start])
  if (word === undefined) refuse(start)
  return word.reduce((at, byte) => afterByte(bytes, at, byte), start)
}
