import type { FastifyRequest } from 'fastify'

/**
 * Reads and discards the rest of a body that is too large, up to twice the limit. Most clients read
 * the reply only after they sent everything; if the connection closed before that, they would see a
 * broken pipe instead.
 */
export function discardBody({ raw, routeOptions: { bodyLimit } }: FastifyRequest): Promise<void> {
  return new Promise((resolve) => {
    // A route may refuse what it has read to the end.
    if (raw.readableEnded) resolve()
    let left = 2 * bodyLimit
    raw.once('end', resolve).once('close', resolve)
    raw.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) resolve()
    })
  })
}
