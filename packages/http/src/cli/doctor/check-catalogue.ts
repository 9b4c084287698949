import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Store } from '@heirloom/adapters/store'
import type { WebhookTables } from '@heirloom/adapters/webhooks'
import { catalogueFile } from '../../server/open-catalogue.ts'
import { type Finding, found, ok, warn } from './finding.ts'
import { type Site, skipped } from './installation.ts'

/** How long a webhook may fail before somebody should look, in milliseconds. */
const failingLong = 3_600_000

/** How many blocks a catalogue may be behind before somebody should look. */
const farBehind = 100

/** Finds webhooks that have failed for long, in a store of jobs. */
export async function webhookFinding({ db }: Store, now: number): Promise<Finding> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'webhook')) return ok('webhooks', 'There are none yet.')
  const rows = await db
    .withTables<WebhookTables>()
    .selectFrom('webhook')
    .select(['id', 'failingSince'])
    .execute()
  const stuck = rows.filter(({ failingSince }) => (failingSince ?? now) < now - failingLong)
  if (stuck.length === 0) return ok('webhooks', `None of ${rows.length} has failed for an hour.`)
  const names = stuck.map(({ id }) => id).join(', ')
  const advice = 'See GET /api/webhooks for the problem; remove those that nobody needs.'
  return warn('webhooks', `Failing for more than an hour: ${names}.`, advice)
}

/** Finds a catalogue that is far behind its chain. */
export async function* catalogueFindings(site: Site): AsyncGenerator<Finding> {
  const why = unreadable(site)
  if (why !== undefined) {
    yield skipped('catalogue', why)
    return
  }
  const advice = 'Remove catalogue.sqlite; a server makes it again from the chain.'
  yield await found('catalogue', advice, () => behind(join(site.folder, catalogueFile)))
}

function unreadable({ config, closed, has }: Site): string | undefined {
  if (config.databaseUrl !== undefined) return 'the catalogue is in DATABASE_URL'
  return closed ?? (has(catalogueFile) ? undefined : 'there is no catalogue yet')
}

function behind(path: string): Finding {
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    // Without it a reader leaves files of its own behind.
    file.exec('PRAGMA locking_mode = EXCLUSIVE')
    const row = file.prepare('SELECT block, head FROM meta').get()
    const lag = Math.max(0, Number(row?.head ?? 0) - Number(row?.block ?? 0))
    const sentence = `It was ${lag} blocks behind when it last looked.`
    if (lag <= farBehind) return ok('catalogue', sentence)
    return warn('catalogue', sentence, 'Let a server run; if it falls behind, look at the node.')
  } finally {
    file.close()
  }
}
