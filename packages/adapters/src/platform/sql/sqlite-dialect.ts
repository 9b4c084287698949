import type { DatabaseSync } from 'node:sqlite'
import { SqliteAdapter, SqliteDialect } from 'kysely'
import { lruCache } from '../lru-cache.ts'

/** Returns the Kysely dialect for a SQLite file, with a cache of prepared statements. */
export function sqliteDialect(file: DatabaseSync): SqliteDialect {
  // Kysely expects the interface of better-sqlite3, which takes parameters as one list.
  const statements = lruCache<string, ReturnType<typeof statementOf>>(statementLimit)
  const prepare = (text: string) => {
    const cached = statements.get(text)
    if (cached !== undefined) return cached
    const prepared = statementOf(file, text)
    statements.set(text, prepared)
    return prepared
  }
  return new FileDialect({ database: { close: () => file.close(), prepare } })
}

class FileDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new FileAdapter()
  }
}

class FileAdapter extends SqliteAdapter {
  // SQLite rolls back statements that change tables as well, which Kysely does not assume.
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

function statementOf(file: DatabaseSync, text: string) {
  const statement = file.prepare(text)
  type Parameters = Parameters_<typeof statement.all>
  return {
    reader: statement.columns().length > 0,
    all: (values: readonly unknown[]) => statement.all(...(values as Parameters)),
    run: (values: readonly unknown[]) => statement.run(...(values as Parameters)),
    iterate: (values: readonly unknown[]) => statement.iterate(...(values as Parameters)),
  }
}

/** The number of cached prepared statements; lists of many lengths need one each. */
const statementLimit = 500

type Parameters_<F> = F extends (...values: infer V) => unknown ? V : never
