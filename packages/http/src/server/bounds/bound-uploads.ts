import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientOf } from '../request/client-of.ts'
import { inFlight } from './in-flight.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Counts bytes of a body whose length was not announced; absent for one that was. */
    bodyArrives: ((bytes: number) => void) | undefined
  }
}

/** Up to how many bytes a body is not counted. */
const small = 2 ** 20

/**
 * Bounds how many bytes of large bodies are worked on, for all clients and for each; a body counts
 * until its request is answered.
 */
export function uploadBound(server: FastifyInstance, bytes: number): void {
  const what = 'bytes of uploads at once'
  const flight = inFlight({ most: bytes, mostPerClient: Math.floor(bytes / 2), what })
  server.decorateRequest('bodyArrives', undefined)
  if (bytes === 0) return
  server.addHook('onRequest', (request, reply, done) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers
    if (coding !== undefined) {
      const { arrives, leave } = growing(request, flight)
      request.bodyArrives = arrives
      reply.raw.once('close', leave)
    } else if (Number(length) > small) {
      reply.raw.once('close', flight.enter(clientOf(request), Number(length)))
    }
    done()
  })
}

/** Counts a body as it arrives, by steps of what is small. */
function growing(request: FastifyRequest, { enter }: ReturnType<typeof inFlight>) {
  const client = clientOf(request)
  const steps: (() => void)[] = []
  let left = small
  return {
    leave: () => {
      for (const step of steps) step()
    },
    arrives: (bytes: number) => {
      left -= bytes
      for (; left < 0; left += small) steps.push(enter(client, small))
    },
  }
}
