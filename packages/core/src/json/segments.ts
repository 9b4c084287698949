/** The state of a scan between two bytes of a JSON text. */
export type ScanPoint = {
  readonly inString: boolean
  /** Whether the byte before is a backslash that escapes the next one. */
  readonly escaped: boolean
  /** The number of open objects and arrays. */
  readonly depth: number
}

/**
 * Describes one piece of a JSON text, so that a reader can tell what the piece closes and how many
 * values it separates without opening it.
 */
export type Survey = {
  /** The least depth that the scan reaches before, inside or after the piece. */
  readonly leastDepth: number
  /** The number of commas at the least depth, outside strings. */
  readonly separators: number
}

/** One piece of a JSON text, without its bytes. */
export type Segment = {
  /** The position of its first byte in the text. */
  readonly offset: number
  /** The number of its bytes. */
  readonly length: number
  /** The state before its first byte. */
  readonly from: ScanPoint
  readonly survey: Survey
}

/** Reads a document piece by piece. The pieces follow each other and together are the document. */
export interface DocumentReader {
  /** The length of the document in bytes. */
  readonly length: number
  segments(): Promise<readonly Segment[]>
  /**
   * Returns the bytes of memory that it may hold for its list and around the pieces that it reads:
   * before the list is read, as many as a usual one takes. Absent where it holds the whole document.
   */
  held?(): number
  /** Returns the bytes of the piece with this index in `segments`. */
  read(segment: number): Promise<Uint8Array>
}

/** The state before the first byte of a document. */
export const documentStart: ScanPoint = { inString: false, escaped: false, depth: 0 }

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c

// A table lookup is faster than comparisons, and most bytes of a memory are plain.
/** The bytes outside strings that neither begin a string nor separate, open or close anything. */
export const plain = tableOf((byte) => !'",[]{}'.includes(String.fromCharCode(byte)))
const plainInString = tableOf((byte) => byte !== quote && byte !== backslash)
/** The change of the depth by each byte outside strings. */
export const steps = Int8Array.from({ length: 256 }, (_, byte) => stepOf(String.fromCharCode(byte)))

/** Returns a table of bytes: 1 for a member, else 0. */
export function tableOf(isMember: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (isMember(byte) ? 1 : 0))
}

function stepOf(character: string): number {
  if ('[{'.includes(character)) return 1
  return ']}'.includes(character) ? -1 : 0
}

/**
 * Surveys one piece of a well-formed JSON text, cut anywhere, and returns the state after it.
 * The surveys of adjacent pieces add up: the least depth of both is the lesser one, and the
 * separators are those of each piece that reaches it.
 */
export function surveySegment(
  bytes: Uint8Array,
  from: ScanPoint,
): { readonly survey: Survey; readonly next: ScanPoint } {
  const { length } = bytes
  const count = { depth: from.depth, leastDepth: from.depth, separators: 0 }
  let at = afterRun(bytes, from.inString ? afterString(bytes, from.escaped ? 1 : 0) : 0, plain)
  while (at < length) {
    const byte = bytes[at] as number
    if (byte === quote) at = afterString(bytes, at + 1)
    else {
      countByte(count, byte)
      at++
    }
    at = afterRun(bytes, at, plain)
  }
  const { depth, leastDepth, separators } = count
  const next = { inString: at > length, escaped: at > length + 1, depth }
  return { survey: { leastDepth, separators }, next }
}

type Count = { depth: number; leastDepth: number; separators: number }

function countByte(count: Count, byte: number): void {
  if (byte === comma && count.depth === count.leastDepth) count.separators++
  count.depth += steps[byte] as number
  if (count.depth >= count.leastDepth) return
  count.leastDepth = count.depth
  count.separators = 0
}

/**
 * Returns the position after the closing quote of a string. Where the piece ends before, returns its
 * length plus one, or plus two when its last byte is a backslash that escapes the next byte.
 */
export function afterString(bytes: Uint8Array, start: number): number {
  let at = afterRun(bytes, start, plainInString)
  while (bytes[at] === backslash) at = afterRun(bytes, at + 2, plainInString)
  return at + 1
}

/** Returns the position of the first byte from `start` on that is not in the table. */
export function afterRun(bytes: Uint8Array, start: number, table: Uint8Array): number {
  const { length } = bytes
  let at = start
  while (at < length && table[bytes[at] as number] === 1) at++
  return at
}

/**
 * Returns a reader of a document that is in memory as a whole: one segment. Does not scan it: the
 * survey of a whole JSON text is always the same.
 */
export function wholeDocument(bytes: Uint8Array): DocumentReader {
  const { length } = bytes
  const survey = { leastDepth: 0, separators: 0 }
  const segments = [{ offset: 0, length, from: documentStart, survey }]
  return {
    length,
    segments: async () => segments,
    read: async (segment) => {
      if (segment !== 0) throw new RangeError(`A whole document has no segment ${segment}.`)
      return bytes
    },
  }
}
