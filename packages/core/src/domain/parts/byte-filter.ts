import { afterRun, tableOf } from '../segments.ts'
import { encodeUtf8 } from '../utf8.ts'

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
  return (bytes, start) => {
    let at = afterRun(bytes, start, isPlain)
    while (at < bytes.length && !isCandidate(bytes, at, needle)) {
      at = afterRun(bytes, bytes[at] === backslash ? at + 2 : at + 1, isPlain)
    }
    return at
  }
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

function isCandidate(bytes: Uint8Array, at: number, needle: Uint8Array): boolean {
  if (bytes[at] === backslash) return bytes[at + 1] === 0x75
  return needle.every((byte, index) => lowerOf(bytes[at + index] ?? 0) === byte)
}
