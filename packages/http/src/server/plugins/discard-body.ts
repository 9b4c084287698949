import type { FastifyRequest } from 'fastify'

/**
 * Reads what is left of a body that is too large, twice the limit at most, and keeps none of it:
 * most clients look for an answer only after they have sent all, and a connection closed before
 * that shows them a broken pipe instead.
 */
export function readToEnd({ raw, routeOptions: { bodyLimit } }: FastifyRequest): Promise<void> {
  return new Promise((resolve) => {
    let left = 2 * bodyLimit
    raw.once('end', resolve).once('close', resolve)
    raw.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) resolve()
    })
  })
}
