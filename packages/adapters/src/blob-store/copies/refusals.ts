import type { CopyRefusal } from '@heirloom/core'

/** The number of refused copies of each peer. */
export type Refusals = {
  add(refusal: CopyRefusal): void
  counts(): ReadonlyMap<string, number>
}

/** The time for which a peer that is refused again and again is not reported again, in milliseconds. */
const silence = 3_600_000

/** Counts refused copies, and reports those of a peer at most once an hour. */
export function countRefusals(
  observe: (refusal: CopyRefusal) => void = () => undefined,
  now: () => number = Date.now,
): Refusals {
  const counts = new Map<string, number>()
  const reported = new Map<string, number>()
  return {
    add: (refusal) => {
      const { peer } = refusal
      counts.set(peer, (counts.get(peer) ?? 0) + 1)
      if (now() - (reported.get(peer) ?? Number.NEGATIVE_INFINITY) < silence) return
      reported.set(peer, now())
      observe(refusal)
    },
    counts: () => counts,
  }
}
