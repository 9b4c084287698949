import { Failure } from '@heirloom/core'
import { type Kysely, sql } from 'kysely'

/**
 * Requires that the sessions of a database can have leases: PostgreSQL ends idle ones, and each
 * connection has its own.
 *
 * @throws `folder/unusable` if PostgreSQL is too old, `config/invalid` behind a pooler that lends its
 * sessions by the transaction
 */
export async function requireLeases<Database>(db: Kysely<Database>): Promise<void> {
  await requireVersion(db)
  await inSessions(db, [], requireOwnSessions)
}

/** The first version of PostgreSQL that ends idle sessions, and with them leases. */
const leastVersion = 14

async function requireVersion<Database>(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ version: string }>`
    SELECT current_setting('server_version') AS version
  `.execute(db)
  const version = Number.parseInt(rows[0]?.version ?? '0', 10)
  if (version >= leastVersion) return
  const problem = `PostgreSQL has version ${version}, and the servers can only share version ${leastVersion} or newer; upgrade it`
  throw new Failure('folder/unusable', { folder: 'The job store', problem })
}

/** The connections that are compared: one more than the processes that a pooler usually has. */
const sessionCount = 3

/** Calls a function with connections that are open at the same time. */
function inSessions<Database>(
  db: Kysely<Database>,
  sessions: readonly Kysely<Database>[],
  work: (sessions: readonly Kysely<Database>[]) => Promise<void>,
): Promise<void> {
  if (sessions.length === sessionCount) return work(sessions)
  return db.connection().execute((session) => inSessions(db, [...sessions, session], work))
}

// A pooler lends the session that was returned last, or the one that has rested longest. So each of
// the connections asks in turn, and then again from the last one back.
async function requireOwnSessions<Database>(sessions: readonly Kysely<Database>[]): Promise<void> {
  const first: number[] = []
  for (const session of sessions) first.push(await readProcess(session))
  const again: number[] = []
  for (const session of sessions.toReversed()) again.unshift(await readProcess(session))
  const isOwn = first.every((process, at) => process === again[at] && first.indexOf(process) === at)
  if (isOwn) return
  const problem =
    'leads through a pooler that gives a connection another session of PostgreSQL for each transaction, and a server would lose its locks; let the pooler keep one session for each connection (pool_mode = session in PgBouncer), or connect to PostgreSQL itself'
  throw new Failure('config/invalid', { name: 'DATABASE_URL', problem })
}

/** Returns the number of the process of PostgreSQL that answers. */
async function readProcess<Database>(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ process: number }>`SELECT pg_backend_pid() AS process`.execute(db)
  return Number(rows[0]?.process)
}
