import type { JobStore } from './job-store.ts'

export type { JobStore }

/** Opens a job store in a file, for this process alone; `:memory:` writes no file. */
export async function sqliteJobStore(path: string): Promise<JobStore> {
  return (await import('./sqlite.ts')).sqliteJobStore(path)
}

/** Opens a job store in a PostgreSQL database that several processes share. */
export async function postgresJobStore(url: string): Promise<JobStore> {
  return (await import('./postgres.ts')).postgresJobStore(url)
}
