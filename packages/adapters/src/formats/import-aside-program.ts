import { handleJobs } from '../platform/worker.ts'
import type { AsideJob } from './import-aside.ts'
import { importMemory } from './import-memory.ts'
import { handleSecrets } from './secrets/secrets.ts'

handleJobs(async (job: AsideJob) => ({
  answer:
    'files' in job ? importMemory(job.files, job.options) : handleSecrets(job.text, job.choice),
}))
