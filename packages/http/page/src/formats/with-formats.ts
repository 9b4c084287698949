import { type Calls, within } from '../worker-calls.ts'
import type { FormatsHandlers } from './formats-worker.ts'

/** The longest that files are read or written, in milliseconds. */
const limit = 180_000

/** Runs calls in a worker that knows the formats of other programs. */
export const withFormats = <R>(run: (calls: Calls<FormatsHandlers>) => Promise<R>): Promise<R> =>
  within<FormatsHandlers, R>({
    start: () => new Worker(new URL('./formats-worker.ts', import.meta.url), { type: 'module' }),
    run,
    limit,
    tooLong: 'These files take too long to read. Use fewer or smaller ones.',
  })
