import { type Cipheriv, createCipheriv, hash } from 'node:crypto'

/** The lengths of chunks in bytes: the least, the usual and the greatest. */
export const chunkLengths = { least: 2048, usual: 4096, most: 24_576 } as const

/** The number of bytes before a position that decide on a cut there. */
const window = 64

/**
 * The state of the public hash that selects one position in 128. It has no key, so nothing about a
 * key can be learnt from the cuts that it allows, and it takes one step for each byte.
 */
// With a sign, because a number of 32 bits without one is no small integer to V8, and five times slower.
const gear = Int32Array.from({ length: 256 }, (_, byte) =>
  hash('sha256', `heirloom/3/gear/${byte}`, 'buffer').readInt32BE(0),
)

/** The bits that are zero at a selected position: the ones that the most bytes have part in. */
const selectedBits = 0xfe000000 | 0

/** The chance of a cut at a selected position, before and after the usual length, of 2^32. */
const chances = { before: 2 ** 32 / 128, after: 2 ** 32 / 16 } as const

const terms = window / 2

/** The length of chunks that are shared with no other version, in bytes. */
const lengthAlone = 65_536

/** Returns the ends of the chunks of bytes, whose first byte starts a chunk. */
export type Cutter = (bytes: Uint8Array, isLast: boolean) => readonly number[]

/**
 * Returns a cutter for a key of 32 bytes. It cuts where the bytes before say so, so that equal content
 * is cut alike wherever it stands, and without the key nobody can tell where.
 *
 * At each selected position a universal hash reduces the last 64 bytes to 62 bits, and a block cipher
 * decides on these: cuts reveal neither key. A rolling hash with a key alone would (eprint 2025/558).
 * Bytes after the last end are to be given again with those that follow; `isLast` ends the last chunk.
 */
export function cutter(key: Uint8Array): Cutter {
  const draws = keystream(key)
  const block = createCipheriv('aes-256-ecb', draws(32), null).setAutoPadding(false)
  const factors = universalKey(draws(2 * 4 * terms))
  return (bytes, isLast) => {
    const positions = selectPositions(bytes)
    return cutsOf(bytes.length, {
      positions,
      verdicts: judge(bytes, positions, factors, block),
      isLast,
    })
  }
}

/**
 * Returns a cutter of equal lengths, for a document that no version will share anything with: longer
 * chunks take less time and compress better.
 */
export const evenCutter: Cutter = (bytes, isLast) => {
  const count = Math.floor(bytes.length / lengthAlone)
  const ends = Array.from({ length: count }, (_, at) => (at + 1) * lengthAlone)
  return isLast && bytes.length % lengthAlone > 0 ? [...ends, bytes.length] : ends
}

/** Returns the factors of two universal hashes, numbers of 31 bits. */
function universalKey(random: Buffer): Float64Array {
  return Float64Array.from({ length: 2 * terms }, (_, at) => random.readUInt32BE(4 * at) >>> 1)
}

function selectPositions(bytes: Uint8Array): Uint32Array {
  const { length } = bytes
  const found = new Uint32Array(Math.ceil(length / 16) + window)
  let count = 0
  let state = 0
  for (let at = 0; at < length; at++) {
    state = ((state << 1) + (gear[bytes[at] as number] as number)) | 0
    if ((state & selectedBits) === 0 && at + 1 >= window) {
      // Crafted bytes may select more; then the rest is cut by length.
      if (count === found.length) break
      found[count++] = at + 1
    }
  }
  return found.subarray(0, count)
}

/** Returns a number of 32 bits for each position, which only the holder of the key can predict. */
function judge(
  bytes: Uint8Array,
  positions: Uint32Array,
  factors: Float64Array,
  block: Cipheriv,
): Buffer {
  const hashes = new Float64Array(positions.length * 2)
  for (const [at, position] of positions.entries()) {
    let one = 0
    let other = 0
    // Each product has at most 47 bits and each sum 52, so they are exact, and equal for two windows
    // under one factor of 2^31 alone.
    for (let term = 0; term < terms; term++) {
      const start = position - window + 2 * term
      const value = (bytes[start] as number) | ((bytes[start + 1] as number) << 8)
      one += value * (factors[term] as number)
      other += value * (factors[terms + term] as number)
    }
    hashes[2 * at] = one
    hashes[2 * at + 1] = other
  }
  return block.update(new Uint8Array(hashes.buffer))
}

type Selection = {
  readonly positions: Uint32Array
  readonly verdicts: Buffer
  readonly isLast: boolean
}

function cutsOf(length: number, { positions, verdicts, isLast }: Selection): readonly number[] {
  const ends: number[] = []
  let start = 0
  const cutAt = (end: number) => {
    ends.push(end)
    start = end
  }
  const cutLong = (end: number) => {
    while (end - start > chunkLengths.most) cutAt(start + chunkLengths.most)
  }
  for (const [at, position] of positions.entries()) {
    cutLong(position)
    if (verdicts.readUInt32LE(at * 16) < chanceOf(position - start)) cutAt(position)
  }
  cutLong(length)
  if (isLast && start < length) cutAt(length)
  return ends
}

/** Returns the chance of a cut that makes a chunk of this length, of 2^32. */
function chanceOf(length: number): number {
  if (length < chunkLengths.least) return 0
  return length < chunkLengths.usual ? chances.before : chances.after
}

/** Returns the next bytes of a stream, which look random to all who do not have its key. */
export type Keystream = (length: number) => Buffer

/** Returns the stream of AES-256 in counter mode under a key of 32 bytes. */
export function keystream(key: Uint8Array): Keystream {
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  return (length) => cipher.update(Buffer.alloc(length))
}
