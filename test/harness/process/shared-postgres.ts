import { rmSync } from 'node:fs'
import { afterAll, beforeAll } from 'vitest'
import { type Postgres, startPostgres } from './postgres.ts'

/** Starts PostgreSQL before the tests of a file, and removes it after them. */
export function sharedPostgres(): Pick<Postgres, 'url' | 'run'> {
  let running: Postgres
  beforeAll(async () => {
    running = await startPostgres()
  })
  afterAll(async () => {
    await running.stop('fast')
    rmSync(running.folder, { recursive: true })
  })
  return {
    get url() {
      return running.url
    },
    run: (statement) => running.run(statement),
  }
}
