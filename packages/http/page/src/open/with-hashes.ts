import { type Calls, within } from '../workers/worker-calls.ts'
import type { HashHandlers } from './hash-worker.ts'

/** The longest that a memory is verified, in milliseconds; without Web Crypto that is slow. */
const limit = 300_000

/** Runs calls in a worker that computes hashes of documents. */
export const withHashes = <R>(run: (calls: Calls<HashHandlers>) => Promise<R>): Promise<R> =>
  within<HashHandlers, R>({
    start: () => new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' }),
    run,
    limit,
    tooLong: 'This memory takes too long to verify.',
  })
