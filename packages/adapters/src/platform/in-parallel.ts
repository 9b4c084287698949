/** Runs a task for each item with limited concurrency; stops at the first error. */
export async function inParallel<T>(
  items: Iterable<T>,
  width: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]()
  let failed = false
  const work = async () => {
    for (let next = rest.next(); !next.done && !failed; next = rest.next()) {
      await act(next.value).catch((error: unknown) => {
        failed = true
        throw error
      })
    }
  }
  await Promise.all(Array.from({ length: width }, work))
}
