import type { JobStore } from '@heirloom/adapters/store'
import type { WebhookTables } from '@heirloom/adapters/webhooks'
import { type Finding, ok, warn } from './finding.ts'

/** The longest time that a webhook may fail without a warning, in milliseconds. */
const failingLimit = 3_600_000

/** Checks that no webhook has failed for more than an hour. */
export async function checkWebhooks({ db }: JobStore, now: number): Promise<Finding> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'webhook')) return ok('webhooks', 'There are none yet.')
  const rows = await db
    .withTables<WebhookTables>()
    .selectFrom('webhook')
    .select(['id', 'failingSince'])
    .execute()
  const failing = rows.filter(({ failingSince }) => (failingSince ?? now) < now - failingLimit)
  if (failing.length === 0) {
    return ok('webhooks', `None of ${rows.length} has failed for more than an hour.`)
  }
  const names = failing.map(({ id }) => id).join(', ')
  const advice = 'GET /api/webhooks shows the reason; remove webhooks that nobody needs.'
  return warn('webhooks', `Failing for more than an hour: ${names}.`, advice)
}
