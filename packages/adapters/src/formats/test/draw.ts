import { createHash } from 'node:crypto'

/** Draws values that a seed decides. */
export type Draw = {
  /** Returns an integer of 0 or more and less than `below`. */
  readonly integer: (below: number) => number
  readonly pick: <T>(from: readonly T[]) => T
  /** Returns as many characters of an alphabet. */
  readonly text: (alphabet: string, length: number) => string
  readonly hex: (bytes: number) => string
  /** Returns a UUID (RFC 9562, version 4). */
  readonly uuid: () => string
}

/** The characters of some alphabets. */
export const alphabets = {
  digits: '0123456789',
  lower: 'abcdefghijklmnopqrstuvwxyz0123456789',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  letters: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
  word: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  base58: '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
  base64: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/',
  bech32: '023456789acdefghjklmnpqrstuvwxyz',
} as const

/** Returns draws that are the same for the same seed. */
export function drawFrom(seed: string): Draw {
  let drawn = 0
  const integer = (below: number) => {
    drawn += 1
    const sum = createHash('sha256').update(`${seed}/${drawn}`).digest()
    return Number(sum.readBigUInt64BE() % BigInt(below))
  }
  const pick = <T>(from: readonly T[]): T => {
    const drawnItem = from[integer(from.length)]
    if (drawnItem === undefined) throw new RangeError('nothing to pick from')
    return drawnItem
  }
  const text = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet.charAt(integer(alphabet.length))).join('')
  const hex = (bytes: number) => text('0123456789abcdef', 2 * bytes)
  const uuid = () =>
    `${hex(4)}-${hex(2)}-4${hex(2).slice(1)}-${pick(['8', '9', 'a', 'b'])}${hex(2).slice(1)}-${hex(6)}`
  return { integer, pick, text, hex, uuid }
}
