import { handleJobs } from '../../platform/worker.ts'

/** A number to square; `die` ends the worker. */
export type Input = number | 'die'

handleJobs<readonly Input[], readonly number[]>(async (inputs) => {
  if (inputs.includes('die')) process.exit(3)
  return { answer: inputs.map((it) => Number(it) ** 2) }
})
