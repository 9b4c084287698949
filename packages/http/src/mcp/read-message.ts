import { type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/server'

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
type LineReader = {
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

/** The most bytes of a message on standard input. */
export const mostOfLine = 10 * 2 ** 20

/** The answer to a line that is no message. */
export type Refusal = {
  readonly jsonrpc: '2.0'
  /** The id of the request where it is known. */
  readonly id: string | number | null
  readonly error: { readonly code: number; readonly message: string }
}

/** The content of a line: a message, or something that gets an answer, or nothing. */
export type Read = { readonly message?: JSONRPCMessage; readonly refusal?: Refusal }

/** Reads a message from a line; returns nothing for an empty line, and for a malformed response. */
export function readMessage(line: Line): Read {
  if ('length' in line) {
    if (responseHead.test(line.head)) return {}
    return refuse(-32600, tooLong(line.length), idOfEnds(line))
  }
  if (line.text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(line.text)
  } catch {
    return refuse(-32700, 'A line is not valid JSON: send one message a line.')
  }
  try {
    return { message: parseJSONRPCMessage(value) }
  } catch {
    return isResponse(value) ? {} : refuse(-32600, notMessage, idOf(value))
  }
}

const notMessage =
  'A line is not one JSON-RPC 2.0 message with a method: send one message a line, and no batch.'

const tooLong = (length: number): string =>
  `A message may have ${mostOfLine} bytes, and this one has ${length}: take a snapshot of a larger memory from a file.`

const refuse = (code: number, message: string, id: Refusal['id'] = null): Read => ({
  refusal: { jsonrpc: '2.0', id, error: { code, message } },
})

// An answer to a response could be answered for ever.
const isResponse = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !('method' in value) &&
  ('result' in value || 'error' in value)

function idOf(value: unknown): Refusal['id'] {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null
}

/** Matches the first members of a message, as far as their values are short. */
const firstMembers =
  /^\s*\{(?:\s*"(?:jsonrpc|method|id)"\s*:\s*(?:"[^"\\\p{Cc}]*"|0|[1-9]\d{0,15})\s*,)*/u

/** Matches the beginning of a response. */
const responseHead =
  /^\s*\{(?:\s*"(?:jsonrpc|id)"\s*:\s*(?:"[^"\\\p{Cc}]*"|0|[1-9]\d{0,15})\s*,)*\s*"(?:result|error)"\s*:/u

/** Matches an id among the first members. */
const firstId = /"id"\s*:\s*("[^"]*"|\d+)/

/** Matches an id that comes last, beside the version. */
const lastId =
  /,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*("[^"\\\p{Cc}]*"|0|[1-9]\d{0,15})|"id"\s*:\s*("[^"\\\p{Cc}]*"|0|[1-9]\d{0,15})\s*,\s*"jsonrpc"\s*:\s*"2\.0")\s*\}\s*$/u

/** Returns the id of a message of which only the ends are known, where its beginning has a method. */
function idOfEnds({ head, tail }: { readonly head: string; readonly tail: string }) {
  const first = firstMembers.exec(head)?.[0] ?? ''
  if (!/"method"\s*:/.test(first)) return null
  const last = lastId.exec(tail)
  const text = firstId.exec(first)?.[1] ?? last?.[1] ?? last?.[2]
  return text === undefined ? null : idOf({ id: JSON.parse(text) })
}
