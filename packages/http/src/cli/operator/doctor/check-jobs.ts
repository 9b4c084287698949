import { join } from 'node:path'
import { type DurabilityGap, durabilityGap } from '@heirloom/adapters/internal/durability-gap'
import { countJobs, findStuckJobs, pingStore } from '@heirloom/adapters/internal/job-queries'
import { countSeals } from '@heirloom/adapters/internal/seal-notes'
import { surveyWebhooks } from '@heirloom/adapters/internal/survey-webhooks'
import type { JobStore } from '@heirloom/adapters/job-store'
import type { WebhookTables } from '@heirloom/adapters/webhooks'
import { catalogueFile } from '../../../server/open-catalogue.ts'
import { jobFile, openJobStore } from '../../../server/open-job-store.ts'
import { blobFolder, chainFile, firstUsedPart } from '../../../server/whole-folder.ts'
import { type Finding, fail, keepData, ok, runCheck, warn } from './finding.ts'
import { type Installation, skipped } from './installation.ts'

/** The longest time that a sent transaction may stay unsettled without a warning, in milliseconds. */
const stuckAfter = 600_000

/** Checks the job store: counts the jobs and the seals by state, and finds stuck jobs and failing webhooks. */
export async function* checkJobs(installation: Installation): AsyncGenerator<Finding> {
  const reason = reasonToSkip(installation)
  if (reason !== undefined) {
    yield reason === noJobs ? missingJobs(installation) : skipped('jobs', reason)
    return
  }
  let store: JobStore | undefined
  const advice =
    installation.config.databaseUrl === undefined
      ? keepData
      : 'Start PostgreSQL, or correct DATABASE_URL.'
  yield await runCheck('jobs', advice, async () => {
    store = await openJobStore(installation.config, installation.folder)
    return checkCounts(store)
  })
  if (store === undefined) return
  const opened = store
  const { now } = opened
  yield await runCheck('stuck-jobs', advice, () => checkStuckJobs(opened, now() - stuckAfter))
  yield await runCheck('webhooks', advice, () => checkWebhooks(opened, now()))
  if (installation.config.databaseUrl !== undefined) {
    yield await runCheck('database', advice, () => checkDurability(opened))
  }
  await store.close()
}

function reasonToSkip({ config, unavailable, has }: Installation): string | undefined {
  if (config.databaseUrl !== undefined) return undefined
  return unavailable ?? (has(jobFile) ? undefined : noJobs)
}

const noJobs = 'there are no jobs yet'

/** Tells jobs that are lost from those of a folder that was never used. */
function missingJobs({ folder }: Installation): Finding {
  const beside = firstUsedPart(folder, [chainFile, blobFolder, catalogueFile])
  if (beside === undefined) return skipped('jobs', noJobs)
  const sentence = `${join(folder, jobFile)} is lost, for ${join(folder, beside)} has memories.`
  const advice =
    'Put back that of the newest backup. A server starts without it, and a request that is repeated then happens again; names, ratings and webhooks are lost.'
  return fail('jobs', sentence, advice)
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

/** Checks that PostgreSQL takes writes, and loses none that it has acknowledged: a lost job may happen twice. */
async function checkDurability(store: JobStore): Promise<Finding> {
  await pingStore(store)
  const gap = await durabilityGap(store)
  if (gap === undefined) return ok('database', 'PostgreSQL keeps what it has acknowledged.')
  const [sentence, advice] = durabilityGaps[gap]
  return warn('database', sentence, advice)
}

const durabilityGaps: Readonly<Record<DurabilityGap, readonly [string, string]>> = {
  fsync: ['A power failure can damage the database: fsync is off.', 'Set fsync to on.'],
  synchronous_commit: [
    'A crash of PostgreSQL can lose acknowledged writes: synchronous_commit is off.',
    'Set synchronous_commit to on.',
  ],
  'asynchronous-standby': [
    'A standby follows asynchronously: its promotion can lose or double acknowledged writes.',
    'Name it in synchronous_standby_names.',
  ],
}

/** The longest time that a webhook may fail without a warning, in milliseconds. */
const failingLimit = 3_600_000

/** Checks that no webhook has failed for more than an hour. */
export async function checkWebhooks({ db }: JobStore, now: number): Promise<Finding> {
  const tables = db.withTables<WebhookTables>()
  const { count, failing } = await surveyWebhooks(tables, now - failingLimit)
  if (count === 0) return ok('webhooks', 'There are none yet.')
  if (failing.length === 0) {
    return ok('webhooks', `None of ${count} has failed for more than an hour.`)
  }
  const advice = 'GET /api/webhooks shows the reason; remove webhooks that nobody needs.'
  return warn('webhooks', `Failing for more than an hour: ${failing.join(', ')}.`, advice)
}
