import { sql } from 'kysely'
import type { Store } from './store.ts'

/** A setting of a PostgreSQL server under which it may lose a commit that it has acknowledged. */
export type DurabilityGap = 'fsync' | 'synchronous_commit' | 'asynchronous-standby'

/** Returns how a PostgreSQL server may lose acknowledged commits; `undefined` if it keeps them. */
export async function durabilityGap({ db }: Pick<Store, 'db'>): Promise<DurabilityGap | undefined> {
  const { rows } = await sql<{ fsync: string; commit: string; standbys: string; count: number }>`
    SELECT current_setting('fsync') AS fsync,
      current_setting('synchronous_commit') AS commit,
      current_setting('synchronous_standby_names') AS standbys,
      (SELECT count(*) FROM pg_stat_replication) AS count
  `.execute(db)
  const [row] = rows
  if (row?.fsync === 'off') return 'fsync'
  if (row?.commit === 'off') return 'synchronous_commit'
  const hasStandby = Number(row?.count ?? 0) > 0
  const isAcknowledged = row?.standbys !== '' && row?.commit !== 'local'
  return hasStandby && !isAcknowledged ? 'asynchronous-standby' : undefined
}
