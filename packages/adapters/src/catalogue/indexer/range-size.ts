/** The number of blocks per request for events, adapted to the limits of the node. */
export type RangeSize = {
  readonly current: () => number
  /** Adapts to an answered range, which held so many events. */
  readonly onAnswer: (events: number) => void
  /** Adapts to a refused range; returns whether a smaller one can be requested. */
  readonly onRefusal: () => boolean
}

const initial = 1024
const longest = 2 ** 24
/** The most events that one transaction should write. */
const maxEvents = 5000

/** Returns a size that doubles until a range is too long, then halves, and grows slowly again. */
export function rangeSize(): RangeSize {
  let size = initial
  let isLimited = false
  return {
    current: () => size,
    onAnswer: (events) => {
      if (events > maxEvents) size = Math.max(1, size >> 1)
      else size = Math.min(longest, isLimited ? size + Math.ceil(size / 8) : size * 2)
    },
    onRefusal: () => {
      const isSmallest = size === 1
      isLimited = true
      size = Math.max(1, size >> 1)
      return !isSmallest
    },
  }
}
