import {
  blockCursor,
  type EventBatch,
  type HistoryEntry,
  readEvents,
  type SubscriberPosition,
} from '@heirloom/core'
import { printedEvent } from '../printing/printed-event.ts'
import { type EventFeed, pageOfEvents } from './event-feed.ts'

export declare namespace eventStream {
  type Options = {
    readonly feed: Pick<EventFeed, 'after' | 'changed'>
    /** The event to go on after; absent for the beginning. */
    readonly after: string | undefined
    readonly wants: (entry: HistoryEntry) => boolean
    /** Runs a read of old events when it is this stream's turn. */
    readonly catchUp: <T>(read: () => Promise<T>) => Promise<T>
    /** How long it may be silent, in milliseconds. */
    readonly heartbeat: number
    /** Ends it. */
    readonly stop: AbortSignal
  }
}

/** Yields events in the format of server-sent events, until it is stopped. */
export async function* eventStream(options: eventStream.Options): AsyncGenerator<string> {
  const { feed, wants, stop, catchUp } = options
  const catalogue = { happened: feed.after }
  let heard: SubscriberPosition = { event: options.after, undone: undefined }
  let isBehind = true
  // With an id, so that a client which has heard nothing yet misses nothing either.
  yield `${options.after === undefined ? '' : `id: ${options.after}\n`}retry: 2000\n\n`
  while (!stop.aborted) {
    // Taken before the question, so that nothing that happens meanwhile is missed.
    const changed = feed.changed()
    const read = () => page(catalogue, heard, wants)
    const next: Page = await (isBehind ? catchUp(read) : read())
    if (next.text !== '') yield next.text
    heard = after(heard, next.happened)
    isBehind = next.happened.entries.length === pageOfEvents
    if (!isBehind) yield* silence(changed, options)
  }
}

type Page = { readonly happened: EventBatch; readonly text: string }

async function page(
  catalogue: Parameters<typeof readEvents>[0],
  heard: SubscriberPosition,
  wants: eventStream.Options['wants'],
): Promise<Page> {
  const happened = await readEvents(catalogue, heard, pageOfEvents)
  return { happened, text: textOf(happened, wants) }
}

function after(
  { event, undone }: SubscriberPosition,
  { entries, undoneFrom }: EventBatch,
): SubscriberPosition {
  const last = entries.at(-1)
  return last === undefined
    ? { event, undone: undoneFrom ?? undone }
    : { event: last.id, undone: undefined }
}

function textOf({ entries, undoneFrom }: EventBatch, wants: eventStream.Options['wants']): string {
  return undone(undoneFrom) + entries.filter(wants).map(messageOf).join('')
}

// With an id, so that a client which heard only this much is told the rest when it comes back.
const undone = (from: bigint | undefined): string =>
  from === undefined
    ? ''
    : `id: ${blockCursor(from)}\nevent: reorganised\ndata: {"block":"${from}"}\n\n`

const messageOf = (entry: HistoryEntry): string =>
  `id: ${entry.id}\nevent: ${entry.kind}\ndata: ${JSON.stringify(printedEvent(entry))}\n\n`

/** Shows now and then that the stream is alive, until something changes or it is stopped. */
async function* silence(
  changed: Promise<void>,
  { heartbeat, stop }: eventStream.Options,
): AsyncGenerator<string> {
  while ((await first(changed, heartbeat, stop)) === 'neither') yield ':\n\n'
}

/** Returns what comes first: a change, the end, or neither for so many milliseconds. */
async function first(
  changed: Promise<void>,
  milliseconds: number,
  stop: AbortSignal,
): Promise<'changed' | 'stopped' | 'neither'> {
  if (stop.aborted) return 'stopped'
  const { promise, resolve } = Promise.withResolvers<'stopped' | 'neither'>()
  const timer = setTimeout(resolve, milliseconds, 'neither')
  const end = () => resolve('stopped')
  stop.addEventListener('abort', end)
  try {
    return await Promise.race([promise, changed.then(() => 'changed' as const)])
  } finally {
    clearTimeout(timer)
    stop.removeEventListener('abort', end)
  }
}
