import type { QueryContext } from './select-tokens.ts'

/** The results of reads of one state of a database. */
type Results = { stamp: string; readonly results: Map<string, Promise<unknown>> }

const resultsOf = new WeakMap<QueryContext, Results>()

/** The most results that are cached. */
const mostResults = 32

/**
 * Returns what a read returned before, as long as the database has not changed since. A read that
 * fails is not cached.
 */
export async function whileUnchanged<T>(
  context: QueryContext,
  input: readonly [name: string, query: object],
  read: () => Promise<T>,
): Promise<T> {
  const key = JSON.stringify(input, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
  const stamp = await context.readStamp()
  const known = resultsOf.get(context) ?? { stamp, results: new Map() }
  resultsOf.set(context, known)
  const { results } = known
  if (known.stamp !== stamp || results.size >= mostResults) results.clear()
  known.stamp = stamp
  const cached = results.get(key)
  if (cached !== undefined) return cached as Promise<T>
  const reading = read()
  results.set(key, reading)
  try {
    return await reading
  } catch (error) {
    results.delete(key)
    throw error
  }
}
