import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'

/**
 * Opens LangGraph's SQLite saver on the SQLite of Node: the saver takes any database with the
 * interface of better-sqlite3, whose own build step needs a compiler.
 */
export function openSqliteSaver(path: string) {
  const db = new DatabaseSync(path)
  const database = {
    pragma: (text: string) => db.prepare(`PRAGMA ${text}`).all(),
    exec: (sql: string) => db.exec(sql),
    prepare: (sql: string) => prepare(db, sql),
    transaction: (act: (argument: unknown) => void) => (argument: unknown) => {
      db.exec('BEGIN')
      act(argument)
      db.exec('COMMIT')
    },
  }
  const saver = new SqliteSaver(database as unknown as ConstructorParameters<typeof SqliteSaver>[0])
  return { saver, close: () => db.close() }
}

/** Binds `undefined` as NULL, as better-sqlite3 does. */
function prepare(db: DatabaseSync, sql: string) {
  const statement = db.prepare(sql)
  const values = (given: readonly unknown[]) => given.map((it) => it ?? null) as SQLInputValue[]
  return {
    run: (...given: readonly unknown[]) => statement.run(...values(given)),
    get: (...given: readonly unknown[]) => statement.get(...values(given)),
    all: (...given: readonly unknown[]) => statement.all(...values(given)),
    iterate: (...given: readonly unknown[]) => statement.iterate(...values(given)),
  }
}
