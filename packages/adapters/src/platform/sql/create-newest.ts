import type { DatabaseSync } from 'node:sqlite'
import { recordsOf, type VersionedTables } from './migrate-tables.ts'

/**
 * Creates tables in their newest version with one script, within the open transaction: taking all
 * steps by themselves would be a twentieth of the start of a server. Returns whether it did; it does
 * nothing where a step is more than a script, or where one of the tables exists.
 */
export function createNewest(file: DatabaseSync, tables: VersionedTables): boolean {
  const parts = recordsOf(tables).flatMap((it) => it.parts)
  if (parts.some((it) => typeof it === 'function')) return false
  const steps = parts.filter((it) => typeof it === 'string')
  const script = `${historyScript(tables)}${steps.join('\n')}`
  const named = file.prepare('SELECT count(*) AS count FROM sqlite_master WHERE name = ?')
  const made = script.matchAll(/CREATE (?:TABLE|INDEX) (?:IF NOT EXISTS )?"(\w+)"/g)
  if ([...made].some(([, name = '']) => named.get(name)?.count !== 0)) return false
  file.exec(script)
  return true
}

/** Returns the script of the tables in which Kysely's migrator records the steps that were taken. */
function historyScript({ history, steps }: VersionedTables): string {
  const records = recordsOf({ history, steps })
  const histories = [...new Set([history, ...records.map((it) => it.history)])]
  const taken = records.map(
    (it) => `INSERT INTO "${it.history}" VALUES ('${it.name}', strftime('%FT%H:%M:%fZ'));`,
  )
  return `
    ${histories.map(historyTable).join('\n')}
    CREATE TABLE "${history}_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
    INSERT INTO "${history}_lock" ("id") VALUES ('migration_lock');
    ${taken.join('\n')}
  `
}

const historyTable = (name: string) =>
  `CREATE TABLE "${name}" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);`
