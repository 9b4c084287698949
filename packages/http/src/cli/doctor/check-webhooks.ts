import { surveyWebhooks } from '@heirloom/adapters/internal/survey-webhooks'
import type { JobStore } from '@heirloom/adapters/job-store'
import type { WebhookTables } from '@heirloom/adapters/webhooks'
import { type Finding, ok, warn } from './finding.ts'

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
