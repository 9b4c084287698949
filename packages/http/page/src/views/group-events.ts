import type { Event } from '../../../src/client/responses.ts'

export type Placed = Pick<Event, 'tokenId' | 'txHash' | 'logIndex'>

/** The events of one transaction and one token, in the order in which they happened. */
export type EventGroup<T> = { readonly key: string; readonly events: readonly T[] }

/** Returns events in groups of what one transaction did to one token. */
export function groupEvents<T extends Placed>(events: readonly T[]): readonly EventGroup<T>[] {
  const groups = Map.groupBy(events, ({ txHash, tokenId }) => `${txHash} ${tokenId}`)
  return [...groups].map(([key, group]) => ({
    key,
    events: group.toSorted((one, other) => one.logIndex - other.logIndex),
  }))
}
