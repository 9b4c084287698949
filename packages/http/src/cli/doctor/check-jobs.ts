import { countJobs, findStuckJobs } from '@heirloom/adapters/internal/job-queries'
import { countSeals } from '@heirloom/adapters/internal/seal-notes'
import type { JobStore } from '@heirloom/adapters/job-store'
import { jobFile, openJobStore } from '../../server/open-job-store.ts'
import { checkWebhooks } from './check-webhooks.ts'
import { type Finding, ok, runCheck, warn } from './finding.ts'
import { type Installation, skipped } from './installation.ts'

/** The longest time that a sent transaction may stay unsettled without a warning, in milliseconds. */
const stuckAfter = 600_000

/** Checks the job store: counts the jobs and the seals by state, and finds stuck jobs and failing webhooks. */
export async function* checkJobs(installation: Installation): AsyncGenerator<Finding> {
  const reason = reasonToSkip(installation)
  if (reason !== undefined) {
    yield skipped('jobs', reason)
    return
  }
  let store: JobStore | undefined
  const advice = 'Check DATABASE_URL, or restore jobs.sqlite from a backup.'
  yield await runCheck('jobs', advice, async () => {
    store = await openJobStore(installation.config, installation.folder)
    return checkCounts(store)
  })
  if (store === undefined) return
  const { now } = installation
  const opened = store
  yield await runCheck('stuck-jobs', advice, () => checkStuckJobs(opened, now() - stuckAfter))
  yield await runCheck('webhooks', advice, () => checkWebhooks(opened, now()))
  await store.close()
}

function reasonToSkip({ config, unavailable, has }: Installation): string | undefined {
  if (config.databaseUrl !== undefined) return undefined
  return unavailable ?? (has(jobFile) ? undefined : 'there are no jobs yet')
}

async function checkCounts(store: JobStore): Promise<Finding> {
  const { queued, sent, done, failed } = await countJobs(store)
  const counts = `${queued} queued, ${sent} sent, ${done} done, ${failed} failed`
  const { unminted, minted } = await countSeals(store)
  const seals = `${unminted.seals} unminted and ${minted.seals} minted seals of wallets`
  return ok('jobs', `The job store opens: ${counts}; ${seals}.`)
}

async function checkStuckJobs(store: JobStore, before: number): Promise<Finding> {
  const names = await findStuckJobs(store, before)
  if (names.length === 0) return ok('stuck-jobs', 'No job has waited for more than 10 minutes.')
  const sentence = `Sent more than 10 minutes ago and not settled: ${names.join(', ')}.`
  return warn(
    'stuck-jobs',
    sentence,
    'Run a server, which replaces or cancels them; check the node.',
  )
}
