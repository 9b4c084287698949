import type { Store } from './job-store.ts'

export type { Store }

/** Opens a store in a file, for this process alone; `:memory:` keeps nothing. */
export async function sqliteStore(path: string): Promise<Store> {
  return (await import('./sqlite.ts')).sqliteStore(path)
}

/** Opens a store in a PostgreSQL database that several processes share. */
export async function postgresStore(url: string): Promise<Store> {
  return (await import('./postgres.ts')).postgresStore(url)
}
