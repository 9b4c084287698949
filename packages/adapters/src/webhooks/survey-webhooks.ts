import type { Kysely } from 'kysely'
import type { WebhookTables } from './schema.ts'

/** The webhooks of all scopes: their number, and the ids of those that have failed for long. */
export type WebhookSurvey = { readonly count: number; readonly failing: readonly string[] }

/**
 * Returns which webhooks have failed since before a time, in milliseconds since 1970. A database
 * without their table has none.
 */
export async function surveyWebhooks(
  db: Kysely<WebhookTables>,
  before: number,
): Promise<WebhookSurvey> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'webhook')) return { count: 0, failing: [] }
  const rows = await db.selectFrom('webhook').select(['id', 'failingSince']).execute()
  const failing = rows.filter(({ failingSince }) => failingSince !== null && failingSince < before)
  return { count: rows.length, failing: failing.map(({ id }) => id) }
}
