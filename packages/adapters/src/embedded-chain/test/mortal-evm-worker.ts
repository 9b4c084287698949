import { parentPort } from 'node:worker_threads'
import '../evm-worker-program.ts'

// The worker of the EVMs, with a request that ends it.
parentPort?.on('message', ({ job }: { readonly job: { readonly text?: string } }) => {
  if (job.text?.includes('die')) process.exit(3)
})
