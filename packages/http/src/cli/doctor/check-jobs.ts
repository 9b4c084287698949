import type { Store } from '@heirloom/adapters/store'
import { webhookFinding } from './check-catalogue.ts'
import { type Finding, found, ok, warn } from './finding.ts'
import { type Site, skipped } from './installation.ts'
import { jobFile, openJobStore } from '../../server/open-job-store.ts'

const stuckAfter = 600_000

/** Counts the jobs by their state and finds those that the chain has not taken. */
export async function* jobFindings(site: Site): AsyncGenerator<Finding> {
  const why = unreadable(site)
  if (why !== undefined) {
    yield skipped('jobs', why)
    return
  }
  let store: Store | undefined
  const advice = 'Look at DATABASE_URL, or restore jobs.sqlite from a backup.'
  yield await found('jobs', advice, async () => {
    store = await openJobStore(site.config, site.folder)
    return counted(store)
  })
  if (store === undefined) return
  const { now } = site
  const taken = store
  yield await found('stuck-jobs', advice, () => stuck(taken, now() - stuckAfter))
  yield await found('webhooks', advice, () => webhookFinding(taken, now()))
  await store.close()
}

function unreadable({ config, closed, has }: Site): string | undefined {
  if (config.databaseUrl !== undefined) return undefined
  return closed ?? (has(jobFile) ? undefined : 'there are no jobs yet')
}

async function counted({ db }: Store): Promise<Finding> {
  const rows = await db
    .selectFrom('job')
    .select((it) => ['state', it.fn.countAll().as('jobs')])
    .groupBy('state')
    .execute()
  const counts = new Map<string, number>(rows.map(({ state, jobs }) => [state, Number(jobs)]))
  const told = ['queued', 'sent', 'done', 'failed'].map((it) => `${counts.get(it) ?? 0} ${it}`)
  return ok('jobs', `The job store opens: ${told.join(', ')}.`)
}

async function stuck({ db }: Store, before: number): Promise<Finding> {
  const rows = await db
    .selectFrom('job')
    .innerJoin('slot', (join) =>
      join.onRef('slot.lane', '=', 'job.lane').onRef('slot.nonce', '=', 'job.nonce'),
    )
    .select(['job.id', 'job.txHash'])
    .where('job.state', '=', 'sent')
    .where('slot.signedAt', '<', before)
    .execute()
  if (rows.length === 0) return ok('stuck-jobs', 'No job waits longer than 10 minutes.')
  const names = rows.map(({ id, txHash }) => txHash ?? id)
  const sentence = `Sent more than 10 minutes ago and not settled: ${names.join(', ')}.`
  return warn('stuck-jobs', sentence, 'Run a server, which replaces and cancels; look at the node.')
}
