import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Catalogue, type HistoryEntry, type TokenEvent, tokenId } from '@heirloom/core'
import { type Static, Type } from '@sinclair/typebox'
import { itemsOf, read } from '../../api/catalogue-queries.ts'
import { EventsHeaders, EventsParameters, eventExample } from '../../api/event-schemas.ts'
import { anyRequest, problems } from '../../api/schemas.ts'
import { clientOf } from '../request/client-of.ts'
import { eventFeed } from '../streams/event-feed.ts'
import { eventStream } from '../streams/event-stream.ts'
import { oneByOne } from '../streams/one-by-one.ts'
import { openStreams } from '../streams/open-streams.ts'

/** The media type of a stream of events. */
export const eventStreamType = 'text/event-stream'

const stream = Type.String({
  examples: [
    `id: ${eventExample}\nevent: transfer\ndata: {"id":"${eventExample}","kind":"transfer"}\n\n`,
  ],
})

const schema = {
  operationId: 'events',
  tags: ['events'],
  summary: 'Listen to what happens',
  description:
    'Server-sent events: the id and the kind of each, and the event as in a history as its data. An event `reorganised` with a `block` says that what was told from that block on no longer stands; what follows takes its place.',
  querystring: EventsParameters,
  headers: EventsHeaders,
  response: {
    200: {
      description: 'It goes on until the client or the server ends it.',
      content: { [eventStreamType]: { schema: stream } },
    },
    ...problems([...anyRequest, 'catalogue/unavailable', 'service/busy', 'value/invalid']),
  },
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a good answer lasts as long as somebody listens. */
    readonly isEndless?: boolean
  }
}

export declare namespace eventsRoute {
  type Parts = { readonly catalogue: Pick<Catalogue, 'happened' | 'newest' | 'onChange'> }
  type Options = openStreams.Options & {
    /** How long a stream may be silent, in milliseconds. */
    readonly heartbeat?: number
  }
}

/** `GET /api/events` */
export const eventsRoute =
  (
    { catalogue }: eventsRoute.Parts,
    { heartbeat = 15_000, ...limits }: eventsRoute.Options = {},
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const feed = eventFeed(catalogue)
    const streams = openStreams(limits)
    // Old events are read and encoded a page at a time, however many streams want them.
    const catchUp = oneByOne()
    app.addHook('preClose', async () => streams.endAll())
    app.addHook('onClose', async () => feed.close())

    // A stream has no end that an answer to HEAD could wait for.
    const options = { schema, config: { isEndless: true }, exposeHeadRoute: false }
    app.get('/api/events', options, async (request, reply) => {
      const { headers, query } = request
      const wants = wantedBy(query)
      const asked = headers['last-event-id'] ?? query.after ?? (await catalogue.newest())
      const after = asked === 'start' ? undefined : asked
      // What fails at once is answered as any other request would be.
      await catchUp(() => feed.after(after))
      const { stop, carriedBy } = streams.open(clientOf(request))
      carriedBy(reply.raw)
      const told = Readable.from(
        eventStream({ feed, after, wants, catchUp, heartbeat, stop }),
        onePage,
      )
      return reply
        .header('content-type', eventStreamType)
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(told as never)
    })
  }

/** A stream whose reader is slow holds a page and no more. */
const onePage = { highWaterMark: 1 }

function wantedBy(query: Static<typeof EventsParameters>): (entry: HistoryEntry) => boolean {
  const id = read(tokenId, query.tokenId)
  const wanted = itemsOf<TokenEvent['kind']>(query.kind)
  return (entry) =>
    (id ?? entry.tokenId) === entry.tokenId && (wanted?.includes(entry.kind) ?? true)
}
