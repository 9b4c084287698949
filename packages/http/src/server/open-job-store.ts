import { join } from 'node:path'
import { postgresStore, type Store, sqliteStore } from '@heirloom/adapters/store'
import type { Config } from '../config/config.ts'

/** The file in the data folder that holds the jobs, where no database is configured. */
export const jobFile = 'jobs.sqlite'

/** Opens the job store, in the configured database or in a file of the data folder. */
export function openJobStore(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  folder: string,
): Promise<Store> {
  return databaseUrl === undefined ? sqliteStore(join(folder, jobFile)) : postgresStore(databaseUrl)
}
