import { parentPort } from 'node:worker_threads'
import '../evm-worker-program.ts'

/** The thread of the EVMs, but a request that says so ends it. */
parentPort?.on('message', ({ job }: { readonly job: { readonly text?: string } }) => {
  if (job.text?.includes('die')) process.exit(3)
})
