import type { JobStore } from '@heirloom/adapters/store'
import { jobFile, openJobStore } from '../../server/open-job-store.ts'
import { checkWebhooks } from './check-webhooks.ts'
import { type Finding, ok, runCheck, warn } from './finding.ts'
import { type Installation, skipped } from './installation.ts'

/** The longest time that a sent transaction may stay unsettled without a warning, in milliseconds. */
const stuckAfter = 600_000

/** Checks the job store: counts the jobs by state, and finds stuck jobs and failing webhooks. */
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
    return countJobs(store)
  })
  if (store === undefined) return
  const { now } = installation
  const opened = store
  yield await runCheck('stuck-jobs', advice, () => findStuck(opened, now() - stuckAfter))
  yield await runCheck('webhooks', advice, () => checkWebhooks(opened, now()))
  await store.close()
}

function reasonToSkip({ config, unavailable, has }: Installation): string | undefined {
  if (config.databaseUrl !== undefined) return undefined
  return unavailable ?? (has(jobFile) ? undefined : 'there are no jobs yet')
}

async function countJobs({ db }: JobStore): Promise<Finding> {
  const rows = await db
    .selectFrom('job')
    .select((it) => ['state', it.fn.countAll().as('jobs')])
    .groupBy('state')
    .execute()
  const counts = new Map<string, number>(rows.map(({ state, jobs }) => [state, Number(jobs)]))
  const texts = ['queued', 'sent', 'done', 'failed'].map((it) => `${counts.get(it) ?? 0} ${it}`)
  return ok('jobs', `The job store opens: ${texts.join(', ')}.`)
}

async function findStuck({ db }: JobStore, before: number): Promise<Finding> {
  const rows = await db
    .selectFrom('job')
    .innerJoin('slot', (join) =>
      join.onRef('slot.lane', '=', 'job.lane').onRef('slot.nonce', '=', 'job.nonce'),
    )
    .select(['job.id', 'job.txHash'])
    .where('job.state', '=', 'sent')
    .where('slot.signedAt', '<', before)
    .execute()
  if (rows.length === 0) return ok('stuck-jobs', 'No job has waited for more than 10 minutes.')
  const names = rows.map(({ id, txHash }) => txHash ?? id)
  const sentence = `Sent more than 10 minutes ago and not settled: ${names.join(', ')}.`
  return warn(
    'stuck-jobs',
    sentence,
    'Run a server, which replaces or cancels them; check the node.',
  )
}
