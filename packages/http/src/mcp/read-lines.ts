/** A line of an input without its end, or what is left of one that is too long. */
export type Line =
  | { readonly text: string }
  | {
      /** The number of its bytes. */
      readonly length: number
      /** Its beginning and its end, of a KiB each at most. */
      readonly head: string
      readonly tail: string
    }

/** A reader of lines; it holds one line at most. */
export type LineReader = {
  /** Takes the next bytes of the input. */
  readonly push: (bytes: Buffer) => void
  /** Takes the end of the input, which ends the last line. */
  readonly end: () => void
}

/** The bytes at each end that are left of a line that is too long. */
const endLength = 1024

/** The bytes that are held without a line. */
const leastRoom = 65_536

/** Creates a reader that passes each line on; of one with more than `limit` bytes its ends alone. */
export function readLines(limit: number, take: (line: Line) => void): LineReader {
  let held: Buffer = Buffer.alloc(leastRoom)
  let ends: { readonly head: Buffer; readonly tail: Buffer } | undefined
  let length = 0
  const add = (piece: Buffer) => {
    if (length + piece.length > limit) {
      ends = endsOf(ends, held.subarray(0, ends === undefined ? length : 0), piece)
      held = Buffer.alloc(leastRoom)
    } else {
      held = withRoom(held, length, length + piece.length)
      piece.copy(held, length)
    }
    length += piece.length
  }
  const endLine = () => {
    const line: Line =
      ends === undefined
        ? { text: held.toString('utf8', 0, length) }
        : { length, head: ends.head.toString(), tail: ends.tail.toString() }
    if (held.length > leastRoom) held = Buffer.alloc(leastRoom)
    ends = undefined
    length = 0
    take(line)
  }
  const push = (bytes: Buffer) => {
    let start = 0
    for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', start)) {
      add(bytes.subarray(start, at))
      endLine()
      start = at + 1
    }
    add(bytes.subarray(start))
  }
  return { push, end: endLine }
}

/** Returns a buffer with the first `length` bytes of another and room for `needed`. */
function withRoom(held: Buffer, length: number, needed: number): Buffer {
  if (needed <= held.length) return held
  const room = Buffer.alloc(Math.max(needed, 2 * held.length))
  held.copy(room, 0, 0, length)
  return room
}

/** Returns the ends of a line after its next piece; `before` are its bytes where it had none yet. */
function endsOf(
  ends: { readonly head: Buffer; readonly tail: Buffer } | undefined,
  before: Buffer,
  piece: Buffer,
) {
  const last = ends?.tail ?? before.subarray(-endLength)
  const tail = Buffer.concat([last, piece.subarray(-endLength)]).subarray(-endLength)
  const first = before.subarray(0, endLength)
  const head = Buffer.concat([first, piece.subarray(0, endLength - first.length)])
  return { head: ends?.head ?? head, tail }
}
