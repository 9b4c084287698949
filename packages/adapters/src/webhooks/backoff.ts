const [shortest, longest] = [1000, 3_600_000]

/**
 * Returns how long to wait after a number of failures in a row, in milliseconds: twice as long each
 * time, from a second to an hour, less up to a half by `chance` (from 0 to 1), so that receivers
 * that fell over together are not all asked again at once.
 */
export function backoff(attempts: number, chance: number): number {
  const full = Math.min(longest, shortest * 2 ** Math.min(attempts, 30))
  return Math.max(shortest, Math.round(full * (1 - chance / 2)))
}
