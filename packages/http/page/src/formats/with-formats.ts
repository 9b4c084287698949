import { inWorker } from '../worker-calls.ts'
import type { FormatsHandlers } from './formats-worker.ts'

/** Runs calls in a worker that knows the formats of other programs. */
export const withFormats = inWorker<FormatsHandlers>({
  start: () => new Worker(new URL('./formats-worker.ts', import.meta.url), { type: 'module' }),
  limit: 180_000,
  tooLong: 'These files take too long to read. Use fewer or smaller ones.',
})
