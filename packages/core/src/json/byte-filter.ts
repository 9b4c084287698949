import { afterRun, tableOf } from './segments.ts'
import { encodeUtf8 } from './utf8.ts'

const backslash = 0x5c

/**
 * Returns the first place from `start` on where a text may occur, or the length of the bytes. What
 * begins at `start` is a string or follows one.
 */
export type ByteFilter = (bytes: Uint8Array, start: number) => number

/**
 * Returns a filter for a folded text, which tells without decoding where no string can have it. It
 * looks for the longest run of the text that looks alike in every JSON string: letters of ASCII in
 * either case, and characters without case. A \u escape may be any character.
 */
export function byteFilter(folded: string): ByteFilter {
  const needle = encodeUtf8(longestRun(folded))
  if (needle.length === 0) return (_, start) => start
  const [first = 0] = needle
  const isPlain = tableOf((byte) => byte !== backslash && lowerOf(byte) !== first)
  const needed = { length: needle.length, next: matchedLength(needle), isPlain }
  return (bytes, start) => firstPlace(bytes, start, needed)
}

type Needed = {
  /** The length of the needle. */
  readonly length: number
  readonly next: ReturnType<typeof matchedLength>
  /** The table of the bytes that begin neither the needle nor an escape. */
  readonly isPlain: Uint8Array
}

function firstPlace(bytes: Uint8Array, start: number, { length, next, isPlain }: Needed): number {
  let matched = 0
  let at = afterRun(bytes, start, isPlain)
  while (at < bytes.length && matched < length && !isAnyCharacter(bytes, at)) {
    const byte = bytes[at] as number
    matched = next(matched, lowerOf(byte))
    at += byte === backslash ? 2 : 1
    if (matched === 0) at = afterRun(bytes, at, isPlain)
  }
  return matched === length ? at - length : at
}

/**
 * Returns the step of the search of Knuth, Morris and Pratt, which reads no byte twice: from the number
 * of bytes of the needle that end before a byte to the number that ends with it.
 */
function matchedLength(needle: Uint8Array): (length: number, byte: number) => number {
  // The lengths to go on from where the next byte differs.
  const shorter = [0]
  const next = (before: number, byte: number): number => {
    let length = before
    while (length > 0 && needle[length] !== byte) length = shorter[length - 1] as number
    return needle[length] === byte ? length + 1 : 0
  }
  for (const byte of needle.subarray(1)) shorter.push(next(shorter.at(-1) as number, byte))
  return next
}

function longestRun(folded: string): string {
  const runs = Array.from(folded, (it) => (looksAlike(it) ? it : '\n'))
    .join('')
    .split('\n')
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest))
}

function looksAlike(character: string): boolean {
  if (/^[\x20-\x7e]$/.test(character)) return !'"\\/'.includes(character)
  return /^[\u00a0-\ud7ff\ue000-\u{10ffff}]$/u.test(character) && !hasCase(character)
}

/** Returns whether another character may fold to this one. */
export function hasCase(character: string): boolean {
  return character.toLowerCase() !== character.toUpperCase()
}

function lowerOf(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
}

function isAnyCharacter(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === backslash && bytes[at + 1] === 0x75
}
