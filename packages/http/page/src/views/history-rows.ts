import { type EventGroup, groupEvents, type Placed } from './group-events.ts'

/** A row of a history: what one transaction did to a memory, or that the memory was erased. */
export type HistoryRow<T> =
  | EventGroup<T>
  | {
      readonly key: 'erased'
      /** Seconds since 1970, by the clock of the server. */
      readonly erasedAt: string
    }

type Timed = Placed & { readonly timestamp: string }

export declare namespace historyRows {
  type Input<T> = {
    /** The events of a memory, oldest first. */
    readonly events: readonly T[]
    /** Whether no later event is left to load. */
    readonly isWhole: boolean
    /** When the memory was erased; `null` unless it was. */
    readonly erasedAt: string | null
  }
}

/**
 * Returns the rows of a history, with the erasure of the memory at its time. The erasure is no event of
 * the chain; it has its row once all events before it are loaded.
 */
export function historyRows<T extends Timed>({
  events,
  isWhole,
  erasedAt,
}: historyRows.Input<T>): readonly HistoryRow<T>[] {
  if (erasedAt === null) return groupEvents(events)
  const isAfter = ({ timestamp }: T) => Number(timestamp) > Number(erasedAt)
  const later = groupEvents(events.filter(isAfter))
  const earlier = groupEvents(events.filter((it) => !isAfter(it)))
  const erasure = { key: 'erased', erasedAt } as const
  return isWhole || later.length > 0 ? [...earlier, erasure, ...later] : earlier
}
