import { join } from 'node:path'
import { type JobStore, postgresJobStore, sqliteJobStore } from '@heirloom/adapters/job-store'
import type { Config } from '../config/config.ts'

/** The file in the data folder that holds the jobs, where no database is configured. */
export const jobFile = 'jobs.sqlite'

/** Opens the job store, in the configured database or in a file of the data folder. */
export function openJobStore(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  folder: string,
): Promise<JobStore> {
  return databaseUrl === undefined
    ? sqliteJobStore(join(folder, jobFile))
    : postgresJobStore(databaseUrl)
}
