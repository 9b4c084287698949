/**
 * Returns a function that computes its result once and returns it until it expires. Calls at the same
 * time share one computation, however long it takes. By default a result never expires, and a failure
 * expires at once.
 */
export function memoize<T>(
  compute: () => Promise<T>,
  {
    resultFor = Number.POSITIVE_INFINITY,
    failureFor = 0,
    now = () => performance.now(),
  }: memoize.Options = {},
): () => Promise<T> {
  let last: { result: Promise<T>; expiresAt: number } | undefined
  return () => {
    const at = now()
    if (last !== undefined && at < last.expiresAt) return last.result
    const started = { result: compute(), expiresAt: Number.POSITIVE_INFINITY }
    const expireAfter = (period: number) => () => {
      started.expiresAt = at + period
    }
    last = started
    started.result.then(expireAfter(resultFor), expireAfter(failureFor))
    return started.result
  }
}

export declare namespace memoize {
  type Options = {
    /** The time that a result is returned after its computation began, in milliseconds. */
    readonly resultFor?: number
    /** The time that a failure is thrown again, in milliseconds. */
    readonly failureFor?: number
    readonly now?: () => number
  }
}
