import { Failure } from '@heirloom/core'

/** The most messages that a batch may hold. */
const mostMessages = 10

/** Counts the messages of a body: those of a batch, or else one. */
export function countMessages(body: unknown): number {
  const text = typeof body === 'string' ? body.trimStart() : ''
  if (!text.startsWith('[')) return 1
  try {
    return Math.max(1, (JSON.parse(text) as readonly unknown[]).length)
  } catch {
    // The SDK reports malformed JSON.
    return 1
  }
}

/** Returns the error response for a batch of too many messages, or `undefined`. */
export function batchRefusal(messages: number): Response | undefined {
  if (messages <= mostMessages) return undefined
  const message = `a batch may hold ${mostMessages} messages, and this one holds ${messages}: send it in parts`
  const error = { code: -32600, message }
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 })
}

/** The most characters of a message, but for its first strings: one of them may be a memory. */
const mostOfMessage = 65_536

/** The number of strings that may be long; a call that holds a memory has fewer. */
const strings = 32

/** Matches a string of JSON; the last one may lack its end, so that no text is read twice. */
const string = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)/gs

/**
 * Refuses a long message that is not a few long strings, because its members are parsed and checked
 * in the event loop.
 *
 * @throws `request/too-large`
 */
export function requireShortMessage(text: unknown): void {
  if (typeof text !== 'string' || text.length <= mostOfMessage) return
  let rest = text.length
  let found = 0
  for (const [{ length }] of text.matchAll(string)) {
    rest -= length
    found += 1
    if (found === strings) break
  }
  if (rest > mostOfMessage) throw new Failure('request/too-large', { limit: mostOfMessage })
}
