import { HeirloomError } from './heirloom-error.ts'
import type { EventsQuery } from './requests.ts'
import type { StreamEvent } from './responses.ts'
import { badResponse } from './transport/decode-response.ts'
import { encodeTokenId } from './transport/encode-values.ts'
import { waitBeforeRetry } from './transport/retries.ts'
import type { Timers } from './transport/timers.ts'
import { type CallOptions, type Transport, translateErrors } from './transport/transport.ts'
import { withQuery } from './transport/with-query.ts'

type Parts = {
  readonly transport: Transport
  readonly retries: number
  readonly timers: Timers
}

/** The position of a stream, which survives its connections. */
type Position = {
  readonly query: EventsQuery
  after: string | undefined
  /** Whether it was ever connected; it then retries without a limit. */
  wasConnected: boolean
  tries: number
}

/** Creates the `events` call. */
export const createEventStream = (parts: Parts) =>
  async function* (
    query: EventsQuery = {},
    { signal: callerSignal }: Pick<CallOptions, 'signal'> = {},
  ): AsyncGenerator<StreamEvent, void, undefined> {
    // Closes the connection when the caller ends the iteration.
    const closed = new AbortController()
    const signal =
      callerSignal === undefined ? closed.signal : AbortSignal.any([callerSignal, closed.signal])
    const position: Position = { query, after: query.after, wasConnected: false, tries: 0 }
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
  const path = withQuery('/api/events', { ...query, ...token, after: position.after })
  const call = { method: 'GET', path, options: { signal } } as const
  const blocks = splitBlocks(requireEventStream(await transport.open(call)))
  position.wasConnected = true
  for (;;) {
    const { value: block } = await translateErrors(call, () => blocks.next())
    if (block === undefined) throw streamEnded(path)
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

/** Splits a stream at blank lines. A last block without one is incomplete and is dropped. */
async function* splitBlocks({ body }: Response): AsyncGenerator<string, void, undefined> {
  let rest = ''
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    const blocks = `${rest}${part.value}`.split('\n\n')
    rest = blocks.pop() ?? ''
    yield* blocks
  }
}

function parseEvent(fields: ReadonlyMap<string, string>): StreamEvent | undefined {
  const [id, kind, data] = [fields.get('id'), fields.get('event'), fields.get('data')]
  return data === undefined ? undefined : ({ id, kind, ...JSON.parse(data) } as StreamEvent)
}

function parseField(line: string): readonly [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon), line.slice(colon + 1).trimStart()]
}

const streamEnded = (path: string) =>
  new HeirloomError({
    code: 'client/unreachable',
    facts: { method: 'GET', path },
    message: 'The event stream ended.',
    retryable: true,
  })
