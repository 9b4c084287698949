/** The most messages that a batch may hold. */
const mostMessages = 10

/** Returns how many messages a body holds: those of a batch, and else one. */
export function countMessages(body: unknown): number {
  const text = typeof body === 'string' ? body.trimStart() : ''
  if (!text.startsWith('[')) return 1
  try {
    return Math.max(1, (JSON.parse(text) as readonly unknown[]).length)
  } catch {
    // No JSON, which the SDK says in its own words.
    return 1
  }
}

/** Returns the refusal of a body that holds so many messages, or nothing where it may. */
export function batchRefusal(messages: number): Response | undefined {
  if (messages <= mostMessages) return undefined
  const message = `a batch may hold ${mostMessages} messages, and this one holds ${messages}: send it in parts`
  const error = { code: -32600, message }
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 })
}
