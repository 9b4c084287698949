import { Failure } from '../failure.ts'
import { decodeUtf8, isSequence, sequenceLength } from './utf8.ts'

declare const brand: unique symbol

/** The exact UTF-8 bytes of one JSON value. */
export type JsonText = Uint8Array & { readonly [brand]: 'JsonText' }

/** The members of a JSON object, by name, each as the exact text that was given. */
export type JsonMembers = ReadonlyMap<string, JsonText>

/** How deep a JSON text may nest. */
export const deepest = 1000

type Cursor = { readonly bytes: Uint8Array; at: number; depth: number }
type OnMember = (name: string, text: JsonText) => void

/**
 * Reads a JSON object (RFC 8259, UTF-8) without changing anything in it: numbers, escapes, key
 * order and white space inside a member stay as they came.
 *
 * @throws `json/malformed`, `json/duplicate-member` at the top level, `json/too-deep`
 */
export function readMembers(bytes: Uint8Array): JsonMembers {
  const members = new Map<string, JsonText>()
  const cursor = { bytes, at: 0, depth: 0 }
  skipSpace(cursor)
  skipObject(cursor, (name, text) => {
    if (members.has(name))
      throw new Failure('json/duplicate-member', { member: name.slice(0, 100) })
    members.set(name, text)
  })
  skipSpace(cursor)
  if (cursor.at !== bytes.length) refuse(cursor)
  return members
}

/** Returns the value of a JSON text. */
export function parseJson(text: JsonText): unknown {
  return JSON.parse(decodeUtf8(text))
}

/** Tells whether a JSON text is an object. */
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
const escapes = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)))
const literals = ['true', 'false', 'null'].map((word) =>
  Uint8Array.from([...word], (character) => character.charCodeAt(0)),
)

function refuse({ at }: Cursor): never {
  throw new Failure('json/malformed', { at })
}

function skipSpace(cursor: Cursor): void {
  const { bytes } = cursor
  let byte = bytes[cursor.at]
  while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
    byte = bytes[++cursor.at]
  }
}

function expect(cursor: Cursor, byte: number): void {
  if (cursor.bytes[cursor.at] !== byte) refuse(cursor)
  cursor.at++
}

function skipValue(cursor: Cursor): void {
  const byte = cursor.bytes[cursor.at]
  if (byte === quote) skipString(cursor)
  else if (byte === braceOpen) skipObject(cursor)
  else if (byte === bracketOpen) skipArray(cursor)
  else if (byte === minus || isDigit(byte)) skipNumber(cursor)
  else skipLiteral(cursor)
}

function skipObject(cursor: Cursor, onMember?: OnMember): void {
  expect(cursor, braceOpen)
  skipSequence(cursor, braceClose, () => {
    const name = take(cursor, skipString)
    skipSpace(cursor)
    expect(cursor, colon)
    skipSpace(cursor)
    if (onMember === undefined) skipValue(cursor)
    else onMember(String(parseJson(name)), take(cursor, skipValue))
  })
}

function skipArray(cursor: Cursor): void {
  expect(cursor, bracketOpen)
  skipSequence(cursor, bracketClose, () => skipValue(cursor))
}

function skipSequence(cursor: Cursor, close: number, skipItem: () => void): void {
  if (++cursor.depth > deepest) throw new Failure('json/too-deep', { limit: deepest })
  skipSpace(cursor)
  if (cursor.bytes[cursor.at] !== close) {
    skipItem()
    skipSpace(cursor)
    while (cursor.bytes[cursor.at] === comma) {
      cursor.at++
      skipSpace(cursor)
      skipItem()
      skipSpace(cursor)
    }
  }
  expect(cursor, close)
  cursor.depth--
}

function take(cursor: Cursor, skip: (cursor: Cursor) => void): JsonText {
  const start = cursor.at
  skip(cursor)
  return cursor.bytes.subarray(start, cursor.at) as JsonText
}

function skipString(cursor: Cursor): void {
  expect(cursor, quote)
  skipPlain(cursor)
  while (cursor.bytes[cursor.at] !== quote) {
    if (cursor.bytes[cursor.at] === backslash) skipEscape(cursor)
    else skipMultibyte(cursor)
    skipPlain(cursor)
  }
  cursor.at++
}

/** Most bytes of most memories are these, so this loop is what reading costs. */
function skipPlain(cursor: Cursor): void {
  const { bytes } = cursor
  let { at } = cursor
  for (let byte = bytes[at] ?? 0; isPlain(byte); byte = bytes[at] ?? 0) at++
  cursor.at = at
}

function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte < 0x80 && byte !== quote && byte !== backslash
}

function skipMultibyte(cursor: Cursor): void {
  if (!isSequence(cursor.bytes, cursor.at)) refuse(cursor)
  cursor.at += sequenceLength(cursor.bytes[cursor.at] ?? 0)
}

function skipEscape(cursor: Cursor): void {
  const kind = cursor.bytes[++cursor.at] ?? 0
  if (kind === 0x75) {
    for (let digit = 0; digit < 4; digit++) {
      if (!isHexDigit(cursor.bytes[++cursor.at])) refuse(cursor)
    }
  } else if (!escapes.has(kind)) refuse(cursor)
  cursor.at++
}

function skipNumber(cursor: Cursor): void {
  if (cursor.bytes[cursor.at] === minus) cursor.at++
  if (cursor.bytes[cursor.at] === zero) cursor.at++
  else skipDigits(cursor)
  if (cursor.bytes[cursor.at] === dot) {
    cursor.at++
    skipDigits(cursor)
  }
  if (((cursor.bytes[cursor.at] ?? 0) | 0x20) === 0x65) skipExponent(cursor)
}

function skipExponent(cursor: Cursor): void {
  const sign = cursor.bytes[++cursor.at]
  if (sign === minus || sign === 0x2b) cursor.at++
  skipDigits(cursor)
}

function skipDigits(cursor: Cursor): void {
  if (!isDigit(cursor.bytes[cursor.at])) refuse(cursor)
  while (isDigit(cursor.bytes[cursor.at])) cursor.at++
}

function skipLiteral(cursor: Cursor): void {
  const word = literals.find((candidate) => candidate[0] === cursor.bytes[cursor.at])
  if (word === undefined) refuse(cursor)
  for (const byte of word) expect(cursor, byte)
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= 0x39
}

function isHexDigit(byte = 0): boolean {
  return isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)
}
