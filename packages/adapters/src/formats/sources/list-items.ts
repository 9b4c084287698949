import { throwMalformed } from '../source-file.ts'

/** One item of a list: its exact bytes, or only its length where it is longer than the limit. */
export type ListItem = { readonly length: number; readonly bytes?: Uint8Array }

export declare namespace listItems {
  type Options = {
    /** Begins the sentences of failures, such as the name of the file. */
    readonly subject: string
    /** The most bytes of an item that is returned whole. */
    readonly longest: number
  }
}

/**
 * Yields the items of a JSON list, each as its exact bytes, while the list arrives in pieces. Holds
 * one item at a time. A text that is not a list is one item. Only the nesting is checked: the
 * parser of an item finds what else is wrong with it.
 *
 * @throws `import/malformed` for a text that ends early or goes on after its end
 */
export async function* listItems(
  chunks: AsyncIterable<Uint8Array>,
  { subject, longest }: listItems.Options,
): AsyncGenerator<ListItem> {
  const scan: Scan = {
    subject,
    longest,
    state: before,
    depth: 0,
    isText: false,
    item: [],
    length: 0,
  }
  for await (const chunk of chunks) {
    for (const found of scanChunk(scan, chunk)) yield found
  }
  if (scan.state === alone && scan.depth === 0 && !scan.isText) yield takeItem(scan)
  else if (scan.state !== after) throwMalformed(subject, 'it ends in the middle of its JSON')
}

/** Describes where a scan is: before the text, in a list, in a text that is not a list, after the text. */
const [before, inList, alone, after] = [0, 1, 2, 3]

type Scan = {
  readonly subject: string
  readonly longest: number
  state: number
  /** The open brackets and braces, those of the list among them. */
  depth: number
  isText: boolean
  isEscaped?: boolean
  /** The pieces of the item so far; empty once it is too long. */
  item: Uint8Array[]
  length: number
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [braceOpen, braceClose, bracketOpen, bracketClose] = [0x7b, 0x7d, 0x5b, 0x5d]
const byteOrderMark = [0xef, 0xbb, 0xbf]

const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

function* scanChunk(scan: Scan, chunk: Uint8Array): Generator<ListItem> {
  let at = skipAround(scan, chunk, 0)
  while (at < chunk.length) {
    const end = findEnd(scan, chunk, at)
    addPiece(scan, chunk.subarray(at, end))
    if (end === chunk.length) return
    if (scan.length > 0) yield takeItem(scan)
    if (chunk[end] === bracketClose) scan.state = after
    at = skipAround(scan, chunk, end + 1)
  }
}

/** Skips what is before the text or after it, and the bracket that begins a list. */
function skipAround(scan: Scan, chunk: Uint8Array, start: number): number {
  if (scan.state === inList || scan.state === alone) return start
  let at = start
  while (at < chunk.length && isAround(scan, chunk[at] as number)) at += 1
  if (at === chunk.length) return at
  if (scan.state === after) throwMalformed(scan.subject, 'it goes on after the end of its list')
  scan.state = chunk[at] === bracketOpen ? inList : alone
  if (scan.state === alone) return at
  scan.depth = 1
  return at + 1
}

const isAround = ({ state }: Scan, byte: number) =>
  isSpace(byte) || (state === before && byteOrderMark.includes(byte))

/** Returns the position of the byte that ends the item, or the end of the chunk. */
function findEnd(scan: Scan, chunk: Uint8Array, start: number): number {
  let at = start
  while (at < chunk.length) {
    if (scan.isText) at = afterText(scan, chunk, at)
    else if (endsItem(scan, chunk[at] as number)) return at
    else at += 1
  }
  return chunk.length
}

/** Returns the position after the quote that ends a text, or the end of the chunk. */
function afterText(scan: Scan, chunk: Uint8Array, start: number): number {
  let at = start
  if (scan.isEscaped) at += 1
  scan.isEscaped = false
  for (; at < chunk.length; at++) {
    const byte = chunk[at]
    if (byte === backslash) at += 1
    else if (byte === quote) {
      scan.isText = false
      return at + 1
    }
  }
  // A backslash was the last byte: the next chunk begins with what it escapes.
  scan.isEscaped = at > chunk.length
  return chunk.length
}

/** Describes how much deeper each byte leads. */
const nesting = Int8Array.from({ length: 256 }, (_, byte) => {
  if (byte === braceOpen || byte === bracketOpen) return 1
  return byte === braceClose || byte === bracketClose ? -1 : 0
})

/** Follows one byte outside of texts; returns whether it ends the item before it. */
function endsItem(scan: Scan, byte: number): boolean {
  if (byte === quote) scan.isText = true
  scan.depth += nesting[byte] as number
  if (scan.depth < 0) throwMalformed(scan.subject, 'it closes a bracket that it did not open')
  if (scan.state !== inList) return false
  return byte === comma ? scan.depth === 1 : scan.depth === 0
}

function addPiece(scan: Scan, piece: Uint8Array): void {
  const own = scan.length === 0 ? withoutSpace(piece) : piece
  if (own.length === 0) return
  scan.length += own.length
  if (scan.length > scan.longest) scan.item = []
  // A copy, because the piece belongs to a buffer that is filled again.
  else scan.item.push(Uint8Array.from(own))
}

function withoutSpace(piece: Uint8Array): Uint8Array {
  let at = 0
  while (at < piece.length && isSpace(piece[at] as number)) at += 1
  return piece.subarray(at)
}

function takeItem(scan: Scan): ListItem {
  const { length } = scan
  const isWhole = length <= scan.longest
  const bytes = isWhole ? trimEnd(concatenate(scan.item, length)) : undefined
  scan.item = []
  scan.length = 0
  return bytes === undefined ? { length } : { length: bytes.length, bytes }
}

function concatenate(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

function trimEnd(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && isSpace(bytes[end - 1] as number)) end -= 1
  return bytes.subarray(0, end)
}
