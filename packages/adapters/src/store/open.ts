import type { Store } from './store.ts'

export type { Store as JobStore }

/** Opens the store of a server in a file, for this process alone; `:memory:` writes no file. */
export async function sqliteJobStore(path: string): Promise<Store> {
  return (await import('./sqlite.ts')).sqliteStore(path)
}

/** Opens the store of a server in a PostgreSQL database that several processes share. */
export async function postgresJobStore(url: string): Promise<Store> {
  return (await import('./postgres.ts')).postgresStore(url)
}
