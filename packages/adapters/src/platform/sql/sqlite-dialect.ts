import type { DatabaseSync } from 'node:sqlite'
import { SqliteAdapter, SqliteDialect } from 'kysely'

/** Returns the Kysely dialect for a SQLite file, with a cache of prepared statements. */
export function sqliteDialect(file: DatabaseSync): SqliteDialect {
  // Kysely expects the interface of better-sqlite3, which takes parameters as one list.
  const prepare = memoize((text) => statementOf(file, text))
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

/** Returns a function that computes the value of each text once. */
function memoize<T>(compute: (text: string) => T): (text: string) => T {
  const cached = new Map<string, T>()
  return (text) => {
    const value = cached.get(text) ?? compute(text)
    if (cached.size >= statementLimit) cached.clear()
    cached.set(text, value)
    return value
  }
}

type Parameters_<F> = F extends (...values: infer V) => unknown ? V : never
