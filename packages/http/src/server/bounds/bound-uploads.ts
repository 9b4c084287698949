import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientOf } from '../request/client-of.ts'
import { inFlight } from './in-flight.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Counts the bytes of a body without a content length as they arrive; absent for other bodies. */
    bodyArrives: ((bytes: number) => void) | undefined
  }
}

/** The largest body that is not counted, and the step in which others are, in bytes. */
const uncountedBytes = 2 ** 20

/**
 * Bounds the bytes of large bodies that are handled at once: `maxBytes` for all clients and half of
 * them for each. A body counts until its request is answered.
 */
export function boundUploads(server: FastifyInstance, maxBytes: number): void {
  const what = 'bytes of uploads at once'
  const flight = inFlight({ max: maxBytes, maxPerClient: Math.floor(maxBytes / 2), what })
  server.decorateRequest('bodyArrives', undefined)
  if (maxBytes === 0) return
  server.addHook('onRequest', (request, reply, done) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers
    if (coding !== undefined) {
      const { arrives, release } = chunkedBody(request, flight)
      request.bodyArrives = arrives
      reply.raw.once('close', release)
    } else if (Number(length) > uncountedBytes) {
      reply.raw.once('close', flight.enter(clientOf(request), Number(length)))
    }
    done()
  })
}

/** Counts a body as it arrives, in steps of `uncountedBytes`. */
function chunkedBody(request: FastifyRequest, { enter }: ReturnType<typeof inFlight>) {
  const client = clientOf(request)
  const steps: (() => void)[] = []
  let left = uncountedBytes
  return {
    release: () => {
      for (const step of steps) step()
    },
    arrives: (bytes: number) => {
      left -= bytes
      for (; left < 0; left += uncountedBytes) steps.push(enter(client, uncountedBytes))
    },
  }
}
