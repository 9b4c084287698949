import {
  blockCursor,
  type Catalogue,
  type EventBatch,
  type HistoryEntry,
  readEvents,
  type SubscriberPosition,
} from '@heirloom/core'
import { printEvent } from '../operations/print-token.ts'

/** Pages of events, for any number of subscribers. */
type EventFeed = {
  /** Returns a page of the events after one, or from the beginning. @throws `catalogue/unavailable` */
  readonly after: (event: string | undefined) => Promise<EventBatch>
  /** Resolves when there may be more events than at the time of the call. */
  readonly changed: () => Promise<void>
  readonly close: () => void
}

/** The number of events in a page; it is the same for all subscribers, who share the pages. */
const eventPageSize = 100

/** The largest number of cached pages. */
const maxPages = 1000

/** Returns a feed that reads each page once for all subscribers at the same event. */
export function eventFeed(catalogue: Pick<Catalogue, 'eventsAfter' | 'onChange'>): EventFeed {
  const pages = new Map<string | undefined, Promise<EventBatch>>()
  let change = Promise.withResolvers<void>()
  const unsubscribe = catalogue.onChange(() => {
    pages.clear()
    change.resolve()
    change = Promise.withResolvers()
  })
  const read = (event: string | undefined) => {
    const page = catalogue.eventsAfter(event, eventPageSize)
    const evict = () => {
      if (pages.get(event) === page) pages.delete(event)
    }
    // Subscribers who read old events are rarely at the same event, and their pages are long.
    page.then(({ entries }) => {
      if (entries.length === eventPageSize) evict()
    }, evict)
    if (pages.size >= maxPages) pages.clear()
    pages.set(event, page)
    return page
  }
  return {
    after: (event) => pages.get(event) ?? read(event),
    changed: () => change.promise,
    close: unsubscribe,
  }
}

export declare namespace eventStream {
  type Options = {
    readonly feed: Pick<EventFeed, 'after' | 'changed'>
    /** The event after which the stream begins; absent for the first event of all. */
    readonly after: string | undefined
    readonly filter: (entry: HistoryEntry) => boolean
    /** Queues a read of old events, behind those of other streams. */
    readonly catchUp: <T>(read: () => Promise<T>) => Promise<T>
    /** The longest silence, in milliseconds. */
    readonly heartbeat: number
    /** Ends the stream. */
    readonly stop: AbortSignal
  }
}

/** Yields server-sent events until the stream is stopped. */
export async function* eventStream(options: eventStream.Options): AsyncGenerator<string> {
  const { feed, filter, stop, catchUp } = options
  const catalogue = { eventsAfter: feed.after }
  let position: SubscriberPosition = { event: options.after, reportedFrom: undefined }
  let isBehind = true
  // The id lets a client that received no event yet resume here.
  yield `${options.after === undefined ? '' : `id: ${options.after}\n`}retry: 2000\n\n`
  while (!stop.aborted) {
    // Subscribed before the read, so that no event in between is missed.
    const changed = feed.changed()
    const read = () => readPage(catalogue, position, filter)
    const next: Page = await (isBehind ? catchUp(read) : read())
    if (next.text !== '') yield next.text
    position = advance(position, next.events)
    isBehind = next.events.entries.length === eventPageSize
    if (!isBehind) yield* heartbeats(changed, options)
  }
}

type Page = { readonly events: EventBatch; readonly text: string }

async function readPage(
  catalogue: Parameters<typeof readEvents>[0],
  position: SubscriberPosition,
  filter: eventStream.Options['filter'],
): Promise<Page> {
  const events = await readEvents(catalogue, position, eventPageSize)
  return { events, text: textOf(events, filter) }
}

function advance(
  { event, reportedFrom }: SubscriberPosition,
  { entries, reorganisedFrom }: EventBatch,
): SubscriberPosition {
  const last = entries.at(-1)
  return last === undefined
    ? { event, reportedFrom: reorganisedFrom ?? reportedFrom }
    : { event: last.id, reportedFrom: undefined }
}

function textOf(
  { entries, reorganisedFrom }: EventBatch,
  filter: eventStream.Options['filter'],
): string {
  return reorganisedMessage(reorganisedFrom) + entries.filter(filter).map(messageOf).join('')
}

// The id lets a client that received only this message resume after it.
const reorganisedMessage = (from: bigint | undefined): string =>
  from === undefined
    ? ''
    : `id: ${blockCursor(from)}\nevent: reorganised\ndata: {"block":"${from}"}\n\n`

const messageOf = (entry: HistoryEntry): string =>
  `id: ${entry.id}\nevent: ${entry.kind}\ndata: ${JSON.stringify(printEvent(entry))}\n\n`

/** Yields a comment after each silent heartbeat, until something changes or the stream is stopped. */
async function* heartbeats(
  changed: Promise<void>,
  { heartbeat, stop }: eventStream.Options,
): AsyncGenerator<string> {
  while ((await firstOf(changed, heartbeat, stop)) === 'silent') yield ':\n\n'
}

/** Returns what happens first: a change, the stop, or a silence of so many milliseconds. */
async function firstOf(
  changed: Promise<void>,
  milliseconds: number,
  stop: AbortSignal,
): Promise<'changed' | 'stopped' | 'silent'> {
  if (stop.aborted) return 'stopped'
  const { promise, resolve } = Promise.withResolvers<'stopped' | 'silent'>()
  const timer = setTimeout(resolve, milliseconds, 'silent')
  const end = () => resolve('stopped')
  stop.addEventListener('abort', end)
  try {
    return await Promise.race([promise, changed.then(() => 'changed' as const)])
  } finally {
    clearTimeout(timer)
    stop.removeEventListener('abort', end)
  }
}
