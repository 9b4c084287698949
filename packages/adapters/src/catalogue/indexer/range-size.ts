/** How many blocks are asked for at once, by what the node allows. */
export type Ranges = {
  readonly size: () => number
  /** Learns that a range was answered, with so many events. */
  readonly answered: (events: number) => void
  /** Learns that a range was refused; tells whether a smaller one can be tried. */
  readonly refused: () => boolean
}

const first = 1024
const longest = 2 ** 24
/** More events than this in one answer are more than one transaction should write. */
const mostEvents = 5000

/** Returns ranges that double until one is too long, then halve, and grow slowly again. */
export function ranges(): Ranges {
  let size = first
  let isLimited = false
  return {
    size: () => size,
    answered: (events) => {
      if (events > mostEvents) size = Math.max(1, size >> 1)
      else size = Math.min(longest, isLimited ? size + Math.ceil(size / 8) : size * 2)
    },
    refused: () => {
      const isSmallest = size === 1
      isLimited = true
      size = Math.max(1, size >> 1)
      return !isSmallest
    },
  }
}
