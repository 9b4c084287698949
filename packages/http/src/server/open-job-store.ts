import { join } from 'node:path'
import { postgresJobStore, type JobStore, sqliteJobStore } from '@heirloom/adapters/store'
import type { Config } from '../config/config.ts'

/** The file in the data folder that holds the jobs where no database does. */
export const jobFile = 'jobs.sqlite'

/** Opens the configured job store: a shared database, or a file in the data folder. */
export function openJobStore(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  folder: string,
): Promise<JobStore> {
  return databaseUrl === undefined ? sqliteJobStore(join(folder, jobFile)) : postgresJobStore(databaseUrl)
}
