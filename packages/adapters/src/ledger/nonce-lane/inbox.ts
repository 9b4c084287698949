import type { JobRow } from './job-row.ts'

/**
 * The jobs that the leader of a store of one process has accepted and not stored yet: it stores each
 * with its signature, in one commit. One that a kill takes was never sent, and no caller has an answer.
 */
export type Inbox = {
  add(row: JobRow): void
  /** Returns the jobs in the order in which they were accepted. */
  rows(): readonly JobRow[]
  has(id: string): boolean
  /** Whether jobs may wait in the store, too: those that decide a hold, and those that must be signed again. */
  mayBeStored: boolean
  /**
   * Takes jobs out, within the commit that stores them: its callers read the store from then on.
   * Takes none, and returns false, if one was withdrawn.
   */
  take(ids: readonly string[]): boolean
}

/** Returns an empty inbox. */
export function inbox(): Inbox {
  const rows = new Map<string, JobRow>()
  return {
    add: (row) => void rows.set(row.id, row),
    rows: () => [...rows.values()],
    mayBeStored: true,
    has: (id) => rows.has(id),
    take: (ids) => {
      if (!ids.every((id) => rows.has(id))) return false
      for (const id of ids) rows.delete(id)
      return true
    },
  }
}
