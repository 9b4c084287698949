import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { type Line, mostOfLine, type Refusal, readLines, readMessage } from './read-message.ts'

/** The most bytes that wait for the client to read them while the input is read. */
const mostUnread = 4 * 2 ** 20

/** The most requests and refused lines that are open while the input is read. */
const mostOpen = 256

/** A transport, and the promise of its end. */
export type AnsweringTransport = { readonly transport: Transport; readonly closed: Promise<void> }

/**
 * Creates a transport on standard input and output that closes once every request that came before
 * the end of the input is answered, and that answers a line that is no message; the one of the SDK
 * would abort the requests, close for a long line, and pass over others in silence.
 */
export function answeringTransport(input: Readable, output: Writable): AnsweringTransport {
  const requests = openRequests()
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const state = { hasEnded: false, isClosed: false }
  const report = (error: Error) => transport.onerror?.(error)
  const close = async () => {
    if (state.isClosed) return
    state.isClosed = true
    lines.stop()
    transport.onclose?.()
    resolve()
  }
  const update = () => {
    if (state.isClosed) return
    if (state.hasEnded && requests.count() === 0) void close()
    // Else the answers to a client that reads none would fill the memory.
    else pauseIf(input, output.writableLength > mostUnread || requests.count() >= mostOpen)
  }
  const send = sendTo(output, { requests, update })
  const refuse = (refusal: Refusal) => {
    report(new Error(refusal.error.message))
    requests.refused(refusal)
    void send(refusal).catch(report)
  }
  const take = (line: Line) => {
    const { message, refusal } = readMessage(line)
    if (refusal !== undefined) refuse(refusal)
    if (message === undefined) return
    requests.received(message)
    update()
    transport.onmessage?.(message)
  }
  const end = () => {
    state.hasEnded = true
    update()
  }
  const lines = linesOf(input, { take, end, report })
  const fail = (error: NodeJS.ErrnoException) => {
    // A client that reads no more is not a failure.
    if (!state.isClosed && error.code !== 'EPIPE') report(error)
    void close()
  }
  const start = async () => {
    output.on('error', fail)
    lines.start()
  }
  const transport: Transport = { start, send, close }
  return { transport, closed }
}

const pauseIf = (input: Readable, isFull: boolean) => (isFull ? input.pause() : input.resume())

type Reader = {
  readonly take: (line: Line) => void
  readonly end: () => void
  readonly report: (error: Error) => void
}

/** Reads the lines of an input to its end. */
function linesOf(input: Readable, { take, end: endInput, report }: Reader) {
  const { push, end: endLine } = readLines(mostOfLine, take)
  let hasEnded = false
  // An input that fails is closed without an end.
  const end = () => {
    if (hasEnded) return
    hasEnded = true
    endLine()
    endInput()
  }
  return {
    start: () => input.on('error', report).on('data', push).on('end', end).on('close', end),
    stop: () => input.off('data', push).off('end', end).off('close', end).pause(),
  }
}

/** Writes a message, and waits until it is passed on. */
function write(output: Writable, message: JSONRPCMessage | Refusal): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
  })
}

type Sending = {
  readonly requests: ReturnType<typeof openRequests>
  readonly update: () => void
}

/** Creates the function that writes a message, and updates when it is held and when it is passed on. */
const sendTo =
  (output: Writable, { requests, update }: Sending) =>
  (message: JSONRPCMessage | Refusal): Promise<void> => {
    const sent = write(output, message).finally(() => {
      requests.sent(message)
      update()
    })
    update()
    return sent
  }

/** Follows the requests and refused lines without an answer. */
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
    refused: (refusal: Refusal) => open.add(refusal),
    sent: (message: JSONRPCMessage | Refusal) => {
      // A refusal may have the id of a request that is still open.
      if (!open.delete(message) && !('method' in message)) open.delete(message.id)
    },
  }
}
