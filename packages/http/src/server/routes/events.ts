import { Readable } from 'node:stream'
import { type Catalogue, type EventKind, type HistoryEntry, tokenId } from '@heirloom/core'
import type { FastifyPluginAsync } from 'fastify'
import { read, splitList } from '../../api/catalogue-queries.ts'
import type { RequestOf } from '../../api/operations/operations.ts'
import { serialQueue } from '../bounds/serial-queue.ts'
import { type Handler, serveOperation } from '../operations/serve-operation.ts'
import { clientOf } from '../request/client-of.ts'
import { eventFeed } from '../streams/event-feed.ts'
import { eventStream } from '../streams/event-stream.ts'
import { openStreams } from '../streams/open-streams.ts'

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
