import { handleJobs } from '../../platform/worker.ts'

/** A number to square, or what ends the worker. */
export type Question = number | 'die'

handleJobs<readonly Question[], readonly number[]>(async (all) => {
  if (all.includes('die')) process.exit(3)
  return { answer: all.map((it) => Number(it) ** 2) }
})
