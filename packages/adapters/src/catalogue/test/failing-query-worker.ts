import { handleJobs } from '../../platform/worker.ts'
import type { QueryJob, QueryReply } from '../queries/query-worker.ts'

/** Returns the token id of each query; exits on token 13, and never answers for token 14. */
handleJobs<QueryJob, QueryReply>(async (job) => {
  const request = job.kind === 'ask' && job.query.name === 'lineage' ? job.query.input : undefined
  const input = Number(request?.tokenId ?? 0)
  if (input === 13) process.exit(3)
  if (input === 14) await new Promise(() => undefined)
  return { answer: { kind: 'answered', answer: input } }
})
