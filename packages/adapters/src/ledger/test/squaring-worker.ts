import { answering } from '../../platform/worker.ts'

/** A number to square, or what ends the thread. */
export type Question = number | 'die'

answering<readonly Question[], readonly number[]>(async (all) => {
  if (all.includes('die')) process.exit(3)
  return { answer: all.map((it) => Number(it) ** 2) }
})
