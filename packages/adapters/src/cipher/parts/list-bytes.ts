import { unreadable } from '../sections.ts'

/** Writes numbers and bytes one after the other. */
export type ListWriter = {
  /** Adds a number from 0 to 2^53 - 1 in groups of seven bits, the lowest first. */
  number(value: number): void
  bytes(value: Uint8Array): void
  end(): Buffer
}

/** The room of a writer at first, in bytes: that of a usual node. */
const firstRoom = 4096

/** The most bytes that a number takes. */
const longestNumber = 8

/** Returns a writer into one buffer: a long list has hundreds of thousands of numbers. */
export function listWriter(): ListWriter {
  let list = Buffer.allocUnsafe(firstRoom)
  let at = 0
  const makeRoom = (length: number) => {
    if (at + length <= list.length) return
    const longer = Buffer.allocUnsafe(2 * (at + length))
    longer.set(list.subarray(0, at))
    list = longer
  }
  return {
    number(value) {
      makeRoom(longestNumber)
      let left = value
      for (; left >= 128; left = Math.floor(left / 128)) list[at++] = (left % 128) | 128
      list[at++] = left
    },
    bytes(value) {
      makeRoom(value.length)
      list.set(value, at)
      at += value.length
    },
    end: () => Buffer.from(list.subarray(0, at)),
  }
}

/** Reads what a `ListWriter` wrote. */
export type ListReader = {
  number(): number
  /** All bytes that are read. */
  readonly source: Buffer
  /** Returns a view of the next bytes. */
  bytes(length: number): Buffer
  /** Returns the position of the next bytes, and goes on behind them. */
  skip(length: number): number
  /** Returns a view of all bytes that are left. */
  rest(): Buffer
  isAtEnd(): boolean
}

/**
 * Returns a reader of bytes.
 *
 * @throws from each method `bundle/unreadable` where the bytes end too early or a number is too large
 */
export function listReader(list: Uint8Array): ListReader {
  const source = Buffer.from(list.buffer, list.byteOffset, list.byteLength)
  let at = 0
  const skip = (length: number): number => {
    if (length > source.length - at) throw malformedList()
    at += length
    return at - length
  }
  return {
    source,
    skip,
    number() {
      let value = 0
      let byte = 128
      for (let scale = 1; byte >= 128; scale *= 128) {
        // A missing byte counts as one that makes the number too large.
        byte = source[at++] ?? 255
        value += (byte & 127) * scale
        if (scale > 2 ** 49) throw malformedList()
      }
      if (!Number.isSafeInteger(value)) throw malformedList()
      return value
    },
    bytes(length) {
      const start = skip(length)
      return source.subarray(start, at)
    },
    rest: () => source.subarray(at),
    isAtEnd: () => at === source.length,
  }
}

/** Returns the failure of a list of parts that does not fit itself, its packs or its document. */
export const malformedList = () => unreadable('its list of parts is malformed')
