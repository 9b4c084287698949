import { type Readable, Transform, type Writable } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

/** A transport, and the promise of its end. */
export type AnsweringTransport = { readonly transport: Transport; readonly closed: Promise<void> }

/**
 * Creates a transport on standard input and output that closes once every request that came before
 * the end of the input is answered; the one of the SDK would abort them.
 */
export function answeringTransport(input: Readable, output: Writable): AnsweringTransport {
  const requests = openRequests()
  const read = endingLate(requests)
  const inner = new StdioServerTransport(read.stream, output)
  let close: () => void = () => undefined
  const closed = new Promise<void>((resolve) => {
    close = resolve
  })
  const transport: Transport = {
    start: async () => {
      inner.onmessage = (message) => {
        requests.received(message)
        transport.onmessage?.(message)
      }
      inner.onerror = (error) => transport.onerror?.(error)
      inner.onclose = () => {
        input.unpipe(read.stream).pause()
        transport.onclose?.()
        close()
      }
      await inner.start()
      read.follow()
      input.pipe(read.stream)
      // An input that fails is closed without an end.
      input.once('close', () => {
        if (!read.stream.writableEnded) read.stream.end()
      })
    },
    send: (message) =>
      inner.send(message).finally(() => {
        requests.sent(message)
        read.endIfAnswered()
      }),
    close: () => inner.close(),
  }
  return { transport, closed }
}

/** Creates a stream that passes bytes on, and ends when they are read and no request is open. */
function endingLate({ count }: ReturnType<typeof openRequests>) {
  let [written, consumed] = [0, 0]
  let end: (() => void) | undefined
  const endIfAnswered = () => {
    if (consumed === written && count() === 0) end?.()
  }
  const stream = new Transform({
    transform: (chunk: Buffer, _, done) => {
      written += chunk.length
      done(null, chunk)
    },
    flush: (done) => {
      end = () => {
        end = undefined
        done()
      }
      endIfAnswered()
    },
  })
  // A listener after the one of the transport, which has read the requests of a chunk by then.
  const follow = () =>
    stream.on('data', (chunk: Buffer) => {
      consumed += chunk.length
      endIfAnswered()
    })
  return { stream, follow, endIfAnswered }
}

/** Follows the requests without an answer. */
function openRequests() {
  const open = new Set<unknown>()
  return {
    count: () => open.size,
    received: (message: JSONRPCMessage) => {
      if (!('method' in message)) return
      // A subscription is answered when it ends, and a cancelled request never.
      const { method, params } = message
      if ('id' in message && method !== 'subscriptions/listen') open.add(message.id)
      if (method === 'notifications/cancelled') open.delete(params?.requestId)
    },
    sent: (message: JSONRPCMessage) => {
      if (!('method' in message)) open.delete(message.id)
    },
  }
}
