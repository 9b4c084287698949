import { worker } from '../worker.ts'
import type { Answer, Job } from './test-worker-program.ts'

/** Sends one job to a worker and prints the answer; nothing else keeps this process alive. */
const { ask } = worker<Job, Answer>(new URL('./test-worker-program.ts', import.meta.url))
ask({ kind: 'lengths' }, { pieces: [new Uint8Array(9)] }).then((answer) =>
  process.stdout.write(`${answer}\n`),
)
