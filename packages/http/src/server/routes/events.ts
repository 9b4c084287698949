import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { type Catalogue, type EventKind, Failure, type HistoryEntry, tokenId } from '@heirloom/core'
import type { FastifyPluginAsync } from 'fastify'
import type { RequestOf } from '../../api/operations/operations.ts'
import { read, splitList } from '../../api/schemas/catalogue-queries.ts'
import { closeWhenStalled } from '../bounds/bound-clients.ts'
import { inFlight } from '../bounds/in-flight.ts'
import { serialQueue } from '../bounds/turns.ts'
import { type Handler, serveOperation } from '../operations/serve-operation.ts'
import { clientOf } from '../request/client-of.ts'
import { eventFeed, eventStream } from './event-stream.ts'

/** The open event streams of a server. */
type OpenStreams = {
  /**
   * Opens a stream for a client.
   *
   * @throws `request/too-many`, `service/busy`, `service/stopping`
   */
  readonly open: (client: string) => OpenStream
  /** Ends all streams, and closes the connection of each reader that does not read the end. */
  readonly endAll: () => void
}

type OpenStream = {
  readonly stop: AbortSignal
  /** Attaches the response that carries the stream, and closes it if its reader stalls. */
  readonly attach: (response: ServerResponse) => void
  /** Ends the stream and frees its place. */
  readonly close: () => void
}

declare namespace openStreams {
  type Options = {
    readonly most?: number
    /** The limit for each client; 0 for no limit. */
    readonly maxPerClient?: number
    /** The longest time that a reader may read nothing although data waits, in milliseconds. */
    readonly patience?: number
    /** Observes the number of open streams whenever it changes. */
    readonly observe?: (open: number) => void
  }
}

/** The time that a reader has for the last bytes when the stream ends, in milliseconds. */
const endTimeout = 1000

/** Returns a bounded set of open streams. */
function openStreams({
  most = 1000,
  maxPerClient = 0,
  patience = 30_000,
  observe = () => undefined,
}: openStreams.Options = {}): OpenStreams {
  const streams = new Set<AbortController>()
  const flight = inFlight({ max: most, maxPerClient, what: 'streams of events at once' })
  let ending = false
  const close = (stream: AbortController) => {
    if (streams.delete(stream)) observe(streams.size)
    stream.abort()
  }
  const open = (client: string): OpenStream => {
    if (ending) throw new Failure('service/stopping', {})
    const release = flight.enter(client, 1)
    const stream = new AbortController()
    stream.signal.addEventListener('abort', release)
    streams.add(stream)
    observe(streams.size)
    return {
      stop: stream.signal,
      close: () => close(stream),
      attach: (response) => {
        const unwatch = response.socket ? closeWhenStalled(response.socket, patience) : undefined
        const endSoon = () => setTimeout(() => response.destroy(), endTimeout).unref()
        stream.signal.addEventListener('abort', endSoon)
        response.once('close', () => {
          unwatch?.()
          stream.signal.removeEventListener('abort', endSoon)
          close(stream)
        })
      },
    }
  }
  return {
    open,
    endAll: () => {
      ending = true
      for (const stream of streams) stream.abort()
    },
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a successful reply lasts as long as its subscriber listens. */
    readonly isEndless?: boolean
  }
}

export declare namespace eventsRoute {
  type Parts = { readonly catalogue: Pick<Catalogue, 'eventsAfter' | 'newestEventId' | 'onChange'> }
  type Options = openStreams.Options & {
    /** The longest silence of a stream, in milliseconds. */
    readonly heartbeat?: number
  }
}

/** `GET /api/events` */
export const eventsRoute =
  (
    { catalogue }: eventsRoute.Parts,
    { heartbeat = 15_000, ...limits }: eventsRoute.Options = {},
  ): FastifyPluginAsync =>
  async (app) => {
    const feed = eventFeed(catalogue)
    const streams = openStreams(limits)
    // Old events are read and encoded one page at a time, however many streams need them.
    const catchUp = serialQueue()
    app.addHook('preClose', async () => streams.endAll())
    app.addHook('onClose', async () => feed.close())

    // A stream has no end, so that a reply to HEAD would never be complete.
    const options = { config: { isEndless: true }, exposeHeadRoute: false }
    const subscribe: Handler<'events'> = async (request, reply) => {
      const { headers, query } = request
      const filter = filterOf(query)
      const last = headers['last-event-id'] ?? query.after ?? (await catalogue.newestEventId())
      const after = last === 'start' ? undefined : last
      // A failure of the first read is replied like that of any other request.
      await catchUp(() => feed.after(after))
      const { stop, attach } = streams.open(clientOf(request))
      attach(reply.raw)
      const messages = eventStream({ feed, after, filter, catchUp, heartbeat, stop })
      return reply
        .header('content-type', 'text/event-stream')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(Readable.from(messages, onePage))
    }
    serveOperation(app, 'events', subscribe, options)
  }

/** Buffers one page at most for a slow reader. */
const onePage = { highWaterMark: 1 }

function filterOf(query: RequestOf<'events'>['query']): (entry: HistoryEntry) => boolean {
  const id = read(tokenId, query.tokenId)
  const kinds = splitList<EventKind>(query.kind)
  return (entry) => (id ?? entry.tokenId) === entry.tokenId && (kinds?.includes(entry.kind) ?? true)
}
