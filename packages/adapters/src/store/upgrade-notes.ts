import type { Kysely } from 'kysely'

/** A change to tables that servers of an earlier version had used. */
export type UpgradeRow = {
  /** The version of the tables since then. */
  version: number
  /** Milliseconds since 1970. */
  at: number
}

/** The tables that the notes are read from, of those of a store. */
type Tables = { readonly upgrade: UpgradeRow; readonly lane: { readonly id: string } }

/** The version that the tables have with this step. */
const version = 5

/** Creates the table of upgrades, and notes this one if an earlier version used the tables. */
export const upgrades = [
  'CREATE TABLE "upgrade" ("version" bigint primary key, "at" bigint not null);',
  { inUse: noteUpgrade },
]

async function noteUpgrade(db: Kysely<Tables>): Promise<void> {
  // Every server leads a lane before it is ready, and the tables of a new one have none yet.
  const lane = await db.selectFrom('lane').select('id').limit(1).executeTakeFirst()
  if (lane === undefined) return
  await db.insertInto('upgrade').values({ version, at: Date.now() }).execute()
}

/** The time for which servers of the version before may be used beside those of this one. */
export const graceTime = 7 * 86_400_000

/**
 * Returns the time from which every server of an installation opens what version 0.2.0 does not: a
 * week after the upgrade, or always where that version never was. In milliseconds since 1970.
 */
export async function endOfGrace(db: Pick<Kysely<Tables>, 'selectFrom'>): Promise<number> {
  const query = db.selectFrom('upgrade').select('at').where('version', '=', version)
  const upgrade = await query.executeTakeFirst()
  return upgrade === undefined ? 0 : Number(upgrade.at) + graceTime
}
