import { type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/server'
import type { Line } from './read-lines.ts'

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
