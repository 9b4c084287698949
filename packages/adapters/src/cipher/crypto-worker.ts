import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { worker } from '../platform/worker.ts'
import type { CryptoWorker } from './crypto-jobs.ts'

/** Up to this length, in bytes, handing bytes to a worker takes about as long as the work itself. */
export const inlineLimit = 131_072

// A packed program has its worker's program packed beside it.
const program = `./crypto-worker-program${extname(import.meta.url)}`

const newThread = () =>
  worker<CryptoWorker.Job, CryptoWorker.Answer>(new URL(program, import.meta.url))

/** Each with the number of its jobs under way. A second one starts where the first is busy. */
const threads = Array.from({ length: Math.min(2, availableParallelism()) }, () => ({
  thread: newThread(),
  jobs: 0,
}))

/**
 * The worker for cryptography and JSON that would block the event loop of this process. It works in two
 * threads where there are as many processors.
 */
export const cryptoWorker: Pick<ReturnType<typeof newThread>, 'ask'> = {
  async ask(job, options) {
    const idlest = threads.reduce((one, other) => (other.jobs < one.jobs ? other : one))
    idlest.jobs += 1
    try {
      return await idlest.thread.ask(job, options)
    } finally {
      idlest.jobs -= 1
    }
  },
}
