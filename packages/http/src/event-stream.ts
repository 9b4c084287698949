import type { Happened, HistoryEntry } from '@heirloom/core'
import { type EventFeed, pageOfEvents } from './event-feed.ts'
import { printedEvent } from './printed-event.ts'

export declare namespace eventStream {
  type Options = {
    readonly feed: Pick<EventFeed, 'after' | 'changed'>
    /** The event to go on after; absent for the beginning. */
    readonly after: string | undefined
    readonly wants: (entry: HistoryEntry) => boolean
    /** How long it may be silent, in milliseconds. */
    readonly heartbeat: number
    /** Ends it. */
    readonly stop: AbortSignal
  }
}

/** Tells what happens in the format of server-sent events, until it is stopped. */
export async function* eventStream(options: eventStream.Options): AsyncGenerator<string> {
  const { feed, wants, stop } = options
  const place: Place = { event: options.after, undone: undefined }
  yield 'retry: 2000\n\n'
  while (!stop.aborted) {
    // Taken before the question, so that nothing that happens meanwhile is missed.
    const changed = feed.changed()
    const happened = await feed.after(place.event)
    const told = textOf(happened, place, wants)
    if (told !== '') yield told
    if (happened.entries.length < pageOfEvents) yield* silence(changed, options)
  }
}

/** How far a stream is: after an event, and whether it told since that it no longer stands. */
type Place = { event: string | undefined; undone: bigint | undefined }

function textOf(
  { entries, undoneFrom }: Happened,
  place: Place,
  wants: eventStream.Options['wants'],
): string {
  const isNews = undoneFrom !== undefined && undoneFrom !== place.undone
  const undone = isNews ? `event: reorganised\ndata: {"block":"${undoneFrom}"}\n\n` : ''
  place.undone = undoneFrom
  const last = entries.at(-1)
  if (last !== undefined) Object.assign(place, { event: last.id, undone: undefined })
  return undone + entries.filter(wants).map(messageOf).join('')
}

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
