import type { DatabaseSync } from 'node:sqlite'
import { SqliteDialect } from 'kysely'

/** Returns how Kysely asks a file of SQLite, whose statements stay prepared. */
export function sqliteDialect(file: DatabaseSync): SqliteDialect {
  // Kysely asks for the shape of better-sqlite3, which takes parameters as one list.
  const prepared = remembering((text) => statementOf(file, text))
  return new SqliteDialect({ database: { close: () => file.close(), prepare: prepared } })
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

/** How many statements are kept prepared; lists of many lengths make many of them. */
const mostPrepared = 500

/** Returns a function that answers what it was asked before as it did then. */
function remembering<T>(answer: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text) ?? answer(text)
    if (known.size >= mostPrepared) known.clear()
    known.set(text, found)
    return found
  }
}

type Parameters_<F> = F extends (...values: infer V) => unknown ? V : never
