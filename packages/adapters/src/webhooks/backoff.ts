const [shortest, longest] = [1000, 3_600_000]

/**
 * Returns the delay after a failure, in milliseconds: from a second to an hour, doubled with each
 * of the `attempts` that failed before it, and reduced by up to a half by `chance` (0 to 1), so that receivers that failed
 * together are not retried together.
 */
export function backoff(attempts: number, chance: number): number {
  const full = Math.min(longest, shortest * 2 ** Math.min(attempts, 30))
  return Math.max(shortest, Math.round(full * (1 - chance / 2)))
}
