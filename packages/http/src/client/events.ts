import { isHeirloomError } from './heirloom-error.ts'
import type { EventsQuery } from './requests.ts'
import type { StreamEvent } from './responses.ts'
import { badResponse } from './transport/decode-response.ts'
import { encodeTokenId, requestLine } from './transport/request-line.ts'
import { type Timers, waitBeforeRetry } from './transport/retries.ts'
import { type CallOptions, type Transport, translateErrors } from './transport/transport.ts'
import { withQuery } from './transport/with-query.ts'

type Parts = {
  readonly transport: Transport
  readonly retries: number
  readonly timers: Timers
}

/** The options of a stream of events. */
export type EventsOptions = Pick<CallOptions, 'signal'> & {
  /** The milliseconds without a byte after which a connection counts as lost; 45,000 when absent. */
  readonly idleTimeout?: number | undefined
  /** Whether the first connection is retried without a limit, too. */
  readonly waitsForServer?: boolean | undefined
}

/** Yields events, and resumes after a lost connection without missing any. */
export type EventStream = (
  query?: EventsQuery,
  options?: EventsOptions,
) => AsyncGenerator<StreamEvent, void, undefined>

/** The position of a stream, which survives its connections. */
type Position = {
  readonly query: EventsQuery
  readonly idleTimeout: number
  after: string | undefined
  /** Whether it was ever connected; it then retries without a limit. */
  wasConnected: boolean
  tries: number
}

/** Creates the `events` call. */
export const createEventStream = (parts: Parts): EventStream =>
  async function* (query = {}, options = {}) {
    // A server sends a comment every 15 seconds, so that a connection that died unseen is noticed.
    const { signal: callerSignal, idleTimeout = 45_000, waitsForServer = false } = options
    // Closes the connection when the caller ends the iteration.
    const closed = new AbortController()
    const signal =
      callerSignal === undefined ? closed.signal : AbortSignal.any([callerSignal, closed.signal])
    const start = { after: query.after, wasConnected: waitsForServer, tries: 0 }
    const position: Position = { query, idleTimeout, ...start }
    try {
      for (;;) yield* readConnection(parts, position, signal)
    } finally {
      closed.abort()
    }
  }

/** Reads one connection to its end, then waits before the next. */
async function* readConnection(
  { transport, timers, retries }: Parts,
  position: Position,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent, void, undefined> {
  try {
    yield* readEvents(transport, position, signal)
  } catch (error) {
    const limit = position.wasConnected ? Number.POSITIVE_INFINITY : retries
    await waitBeforeRetry(error, { tries: position.tries, limit, timers, signal })
    position.tries += 1
  }
}

/** Reads events until the connection ends, which always throws. */
async function* readEvents(
  transport: Transport,
  position: Position,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent, never, undefined> {
  const { tokenId, ...query } = position.query
  const token = tokenId === undefined ? {} : { tokenId: encodeTokenId(tokenId) }
  const line = requestLine('events')
  const path = withQuery(line.path, { ...query, ...token, after: position.after })
  const call = { ...line, path, options: { signal } }
  const response = requireEventStream(await transport.open(call))
  const blocks = splitBlocks(response, position.idleTimeout)
  position.wasConnected = true
  for (;;) {
    const { value: block } = await translateErrors(call, () => blocks.next())
    const fields = new Map(block.split('\n').map(parseField))
    // The first block has no event; its id is the start of the stream.
    position.after = fields.get('id') ?? position.after
    const event = parseEvent(fields)
    if (event === undefined) continue
    position.tries = 0
    yield event
  }
}

/** Throws for another content type, which would end at once and be requested again for ever. */
function requireEventStream(response: Response): Response {
  const { status, headers } = response
  const type = headers.get('content-type') ?? 'text/event-stream'
  if (type.toLowerCase().startsWith('text/event-stream')) return response
  throw badResponse(`it is ${type} and not an event stream`, { status })
}

/** The most characters of an event; no event comes near. */
const mostOfBlock = 2 ** 20

/**
 * Splits a stream at blank lines. A last block without one is incomplete and is dropped. Throws at
 * the end.
 */
async function* splitBlocks(
  { body }: Response,
  idleTimeout: number,
): AsyncGenerator<string, never, undefined> {
  let rest = ''
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  const read = () => before(idleTimeout, reader?.read())
  try {
    for (let part = await read(); part?.value; part = await read()) {
      const blocks = `${rest}${part.value}`.split('\n\n')
      rest = blocks.pop() ?? ''
      if (rest.length > mostOfBlock) throw badResponse('it is too long')
      yield* blocks
    }
    throw new Error('The event stream ended.')
  } finally {
    // Closes a connection that is silent; of one that has ended nothing is left to close.
    reader?.cancel().catch(() => undefined)
  }
}

/** Waits for a promise, so many milliseconds at most. */
async function before<T>(
  milliseconds: number,
  promise: Promise<T> | undefined,
): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const say = () => reject(new Error(`Nothing came within ${milliseconds} ms.`))
    timer = setTimeout(say, milliseconds)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Parses an event. @throws `client/bad-answer` */
function parseEvent(fields: ReadonlyMap<string, string>): StreamEvent | undefined {
  const [id, kind, data] = [fields.get('id'), fields.get('event'), fields.get('data')]
  if (data === undefined) return undefined
  try {
    const event = { id, kind, ...JSON.parse(data) }
    BigInt(event.block)
    return event
  } catch {
    throw badResponse('it is no event')
  }
}

function parseField(line: string): readonly [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon), line.slice(colon + 1).trimStart()]
}

/** The options of a watch: the filters, where it begins, and what it calls. */
export type WatchOptions = EventsQuery &
  Pick<EventsOptions, 'signal' | 'idleTimeout'> & {
    /**
     * Called with one event after the other; the next one waits until it is done. `reorganised` means that
     * all events from its `block` on are void, and that those which replace them follow.
     */
    readonly onEvent: (event: StreamEvent) => void | Promise<void>
  }

/** A watch that is running. */
export type Watch = {
  /** Returns the id of the last event that was handled: store it, and begin `after` it next time. */
  readonly last: () => string | undefined
  /** Resolves once the watch was stopped or aborted; rejects with what `onEvent` throws, or `HeirloomError`. */
  readonly ended: Promise<void>
  /** Ends the watch, after the event that is being handled. */
  readonly stop: () => Promise<void>
}

/** The most ids of events that are remembered, to recognise one that is sent again. */
const mostSeen = 1_000

/** Creates the `watch` call. */
export const createWatch =
  (events: EventStream) =>
  ({ onEvent, signal, idleTimeout, ...query }: WatchOptions): Watch => {
    const stopped = new AbortController()
    const isNew = seenEvents()
    let last = query.after === 'start' ? undefined : query.after
    const ending = signal === undefined ? [stopped.signal] : [signal, stopped.signal]
    const end = AbortSignal.any(ending)
    const handle = async (event: StreamEvent) => {
      if (isNew(event)) await onEvent(event)
      last = event.id
    }
    const run = async () => {
      const options = { signal: end, idleTimeout, waitsForServer: true }
      for await (const event of events(query, options)) {
        if (end.aborted) return
        await handle(event)
      }
    }
    const ended = run().catch((error) => {
      if (!end.aborted || !isHeirloomError(error, 'client/aborted')) throw error
    })
    return {
      last: () => last,
      ended,
      stop: async () => {
        stopped.abort()
        await ended
      },
    }
  }

/** Returns a function that accepts each event once, and again what a reorganisation made void. */
function seenEvents(): (event: StreamEvent) => boolean {
  let seen = new Map<string, bigint>()
  const add = (id: string, block: bigint) => {
    const isNew = !seen.has(id)
    seen.set(id, block)
    const [oldest = id] = seen.keys()
    if (seen.size > mostSeen) seen.delete(oldest)
    return isNew
  }
  return ({ id, kind, block }) => {
    if (kind !== 'reorganised') return add(id, BigInt(block))
    seen = new Map([...seen].filter(([, at]) => at < BigInt(block)))
    return true
  }
}
