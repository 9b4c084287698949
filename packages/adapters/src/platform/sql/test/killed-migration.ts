import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { migrateTables } from '../migrate-tables.ts'
import { sqliteDialect } from '../sqlite-dialect.ts'
import { thingTables } from './thing-tables.ts'

// Brings the tables of a file to a version, and kills its own process before a statement.

const [path = '', at = '', version = ''] = process.argv.slice(2)

let left = Number(at)

const db = new Kysely<unknown>({
  dialect: sqliteDialect(new DatabaseSync(path)),
  log: ({ query }) => {
    if (!/^(create|alter|drop|update|insert)/i.test(query.sql)) return
    if (left === 0) process.kill(process.pid, 'SIGKILL')
    left -= 1
  },
})
await db.transaction().execute((trx) => migrateTables(trx, thingTables(Number(version))))
await db.destroy()
process.stdout.write('done')
