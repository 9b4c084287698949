import type { Catalogue, EventBatch } from '../ports/catalogue.ts'

/** The position of a subscriber in the event stream. */
export type SubscriberPosition = {
  /** The id of the last event that it received; absent before the first. */
  readonly event: string | undefined
  /** The first reorganised block that was reported to it since that event. */
  readonly undone: bigint | undefined
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
  { happened }: Pick<Catalogue, 'happened'>,
  { event, undone }: SubscriberPosition,
  limit: number,
): Promise<EventBatch> {
  const { entries, undoneFrom } = await happened(event, limit)
  if (undone === undefined) return { entries, undoneFrom }
  // The subscriber has dropped all events from this block on; its last event is on the chain again.
  const replay = undoneFrom === undefined ? await happened(blockCursor(undone), limit) : undefined
  const { entries: next, undoneFrom: from } = replay ?? { entries, undoneFrom }
  return { entries: next, undoneFrom: from === undone ? undefined : from }
}
