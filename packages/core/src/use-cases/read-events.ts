import type { Catalogue, EventBatch } from '../ports/catalogue.ts'

/** The position of a subscriber in the event stream. */
export type SubscriberPosition = {
  /** The id of the last event that it received; absent before the first. */
  readonly event: string | undefined
  /** The first reorganised block that was reported to it since that event. */
  readonly reportedFrom: bigint | undefined
}

/** Returns a cursor that is the id of no event and selects all events from a block on. */
export const blockCursor = (block: bigint): string => `${block}-0-00000000`

/**
 * Returns the next events for a subscriber. Reports a reorganisation once, and returns the events
 * that are on the chain again after it.
 *
 * @throws `catalogue/unavailable`
 */
export async function readEvents(
  { eventsAfter }: Pick<Catalogue, 'eventsAfter'>,
  { event, reportedFrom }: SubscriberPosition,
  limit: number,
): Promise<EventBatch> {
  const { entries, reorganisedFrom } = await eventsAfter(event, limit)
  if (reportedFrom === undefined) return { entries, reorganisedFrom }
  // The subscriber has dropped all events from this block on; its last event is on the chain again.
  const replay =
    reorganisedFrom === undefined ? await eventsAfter(blockCursor(reportedFrom), limit) : undefined
  const { entries: next, reorganisedFrom: from } = replay ?? { entries, reorganisedFrom }
  return { entries: next, reorganisedFrom: from === reportedFrom ? undefined : from }
}
