import { Failure } from '@heirloom/core'
import { handleJobs } from '../worker.ts'

/** The jobs of the worker under test. */
export type Job =
  | { readonly kind: 'lengths' }
  | { readonly kind: 'echo'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'refuse' | 'break' | 'die' | 'wait' }

/** The answer to a job. */
export type Answer = readonly number[] | Uint8Array

handleJobs<Job, Answer>(async (job, pieces) => {
  if (job.kind === 'echo') return { answer: job.bytes, moved: [job.bytes.buffer] }
  if (job.kind === 'refuse') throw new Failure('json/malformed', { at: 7 })
  if (job.kind === 'break') throw new RangeError('too much')
  if (job.kind === 'die') process.exit(3)
  if (job.kind === 'wait') await new Promise(() => undefined)
  const lengths: number[] = []
  for await (const piece of pieces) lengths.push(piece.length)
  return { answer: lengths }
})
