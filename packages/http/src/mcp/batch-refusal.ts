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
