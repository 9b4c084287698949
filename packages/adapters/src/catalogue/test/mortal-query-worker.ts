import { handleJobs } from '../../platform/worker.ts'
import type { ReaderAnswer, ReaderJob } from '../queries/query-worker.ts'

/** Answers with the token that is asked about; ends with token 13, and never answers token 14. */
handleJobs<ReaderJob, ReaderAnswer>(async (job) => {
  const input = job.kind === 'ask' ? Number(job.question.input) : 0
  if (input === 13) process.exit(3)
  if (input === 14) await new Promise(() => undefined)
  return { answer: { kind: 'answered', answer: input } }
})
