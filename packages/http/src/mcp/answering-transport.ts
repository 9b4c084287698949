import { PassThrough, type Readable, type Writable } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

/** A transport, and the promise of its end. */
export type AnsweringTransport = { readonly transport: Transport; readonly closed: Promise<void> }

/**
 * Creates a transport on standard input and output that closes once every request that came before
 * the end of the input is answered; the one of the SDK would abort them.
 */
export function answeringTransport(input: Readable, output: Writable): AnsweringTransport {
  // The end of the input reaches the transport of the SDK after the last answer.
  const read = new PassThrough()
  const inner = new StdioServerTransport(read, output)
  const requests = openRequests(() => read.end())
  input.pipe(read, { end: false })
  input.once('close', requests.end)
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
        input.unpipe(read).pause()
        transport.onclose?.()
        close()
      }
      await inner.start()
    },
    send: (message) => inner.send(message).finally(() => requests.sent(message)),
    close: () => inner.close(),
  }
  return { transport, closed }
}

/** Follows the requests without an answer, and calls `onEnd` when there are none after the end. */
function openRequests(onEnd: () => void) {
  const open = new Set<unknown>()
  let isEnded = false
  const close = (id: unknown) => {
    open.delete(id)
    if (isEnded && open.size === 0) onEnd()
  }
  return {
    received: (message: JSONRPCMessage) => {
      if (!('method' in message)) return
      // A subscription is answered when it ends, and a cancelled request never.
      const { method, params } = message
      if ('id' in message && method !== 'subscriptions/listen') open.add(message.id)
      if (method === 'notifications/cancelled') close(params?.requestId)
    },
    sent: (message: JSONRPCMessage) => {
      if (!('method' in message)) close(message.id)
    },
    end: () => {
      isEnded = true
      close(undefined)
    },
  }
}
