/**
 * Rejects with the error of `late` when a result takes longer than so many milliseconds. What runs
 * goes on; how it ends then is ignored.
 */
export async function rejectAfter<T>(
  milliseconds: number,
  result: Promise<T>,
  late: () => Error,
): Promise<T> {
  const { promise: overdue, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(late()), milliseconds)
  try {
    return await Promise.race([result, overdue])
  } finally {
    clearTimeout(timer)
    result.catch(() => undefined)
  }
}
