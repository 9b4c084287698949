import { badAnswer } from './transport/decode-response.ts'
import type { EventsQuery } from './requests.ts'
import { HeirloomError } from './heirloom-error.ts'
import { pause } from './transport/retries.ts'
import { spelledId } from './transport/encode-values.ts'
import type { Timers } from './transport/timers.ts'
import type { Heard } from './responses.ts'
import { type CallOptions, reached, type Transport } from './transport/transport.ts'
import { withQuery } from './transport/with-query.ts'

type Parts = {
  readonly transport: Transport
  readonly retries: number
  readonly timers: Timers
}

/** Where a listener is. */
type Place = {
  readonly query: EventsQuery
  after: string | undefined
  /** Whether it was ever connected: then it waits for as long as it takes. */
  wasOpen: boolean
  tries: number
}

/** Returns what listens to the events of a server. */
export const listening = (parts: Parts) =>
  async function* (
    query: EventsQuery = {},
    { signal: given }: Pick<CallOptions, 'signal'> = {},
  ): AsyncGenerator<Heard, void, undefined> {
    // Whoever stops listening lets go of the connection.
    const left = new AbortController()
    const signal = given === undefined ? left.signal : AbortSignal.any([given, left.signal])
    const place: Place = { query, after: query.after, wasOpen: false, tries: 0 }
    try {
      for (;;) yield* patiently(parts, place, signal)
    } finally {
      left.abort()
    }
  }

/** Listens until the connection ends, and waits until there may be another. */
async function* patiently(
  { transport, timers, retries }: Parts,
  place: Place,
  signal: AbortSignal,
): AsyncGenerator<Heard, void, undefined> {
  try {
    yield* connection(transport, place, signal)
  } catch (error) {
    const limit = place.wasOpen ? Number.POSITIVE_INFINITY : retries
    await pause(error, { tries: place.tries, limit, timers, signal })
    place.tries += 1
  }
}

/** Listens until the connection ends, which it always does with an error. */
async function* connection(
  transport: Transport,
  place: Place,
  signal: AbortSignal,
): AsyncGenerator<Heard, never, undefined> {
  const { tokenId, ...query } = place.query
  const about = tokenId === undefined ? {} : { tokenId: spelledId(tokenId) }
  const path = withQuery('/api/events', { ...query, ...about, after: place.after })
  const call = { method: 'GET', path, options: { signal } } as const
  const blocks = blocksOf(streamOf(await transport.open(call)))
  place.wasOpen = true
  for (;;) {
    const { value: block } = await reached(call, () => blocks.next())
    if (block === undefined) throw ended(path)
    const fields = new Map(block.split('\n').map(fieldIn))
    // The first one comes without an event, and says where the stream began.
    place.after = fields.get('id') ?? place.after
    const event = eventOf(fields)
    if (event === undefined) continue
    place.tries = 0
    yield event
  }
}

/** A page in the place of a stream would end at once, and be asked for again for ever. */
function streamOf(response: Response): Response {
  const { status, headers } = response
  const type = headers.get('content-type') ?? 'text/event-stream'
  if (type.toLowerCase().startsWith('text/event-stream')) return response
  throw badAnswer(`it is ${type} and no stream of events`, { status })
}

/** What comes after the last blank line was cut off, and comes again. */
async function* blocksOf({ body }: Response): AsyncGenerator<string, void, undefined> {
  let rest = ''
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    const blocks = `${rest}${part.value}`.split('\n\n')
    rest = blocks.pop() ?? ''
    yield* blocks
  }
}

function eventOf(fields: ReadonlyMap<string, string>): Heard | undefined {
  const [id, kind, data] = [fields.get('id'), fields.get('event'), fields.get('data')]
  return data === undefined ? undefined : ({ id, kind, ...JSON.parse(data) } as Heard)
}

function fieldIn(line: string): readonly [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon), line.slice(colon + 1).trimStart()]
}

const ended = (path: string) =>
  new HeirloomError({
    code: 'client/unreachable',
    facts: { method: 'GET', path },
    message: 'The stream of events ended.',
    retryable: true,
  })
