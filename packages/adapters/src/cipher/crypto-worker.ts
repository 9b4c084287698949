import { extname } from 'node:path'
import { worker } from '../platform/worker.ts'
import type { CryptoWorker } from './crypto-jobs.ts'

/** Up to this length, in bytes, handing bytes to a worker takes about as long as the work itself. */
export const inlineLimit = 131_072

// A packed program has its worker's program packed beside it.
const program = `./crypto-worker-program${extname(import.meta.url)}`

/** The worker for cryptography and JSON that would block the event loop of this process. */
export const cryptoWorker = worker<CryptoWorker.Job, CryptoWorker.Answer>(
  new URL(program, import.meta.url),
)
