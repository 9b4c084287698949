import type { Digest } from '@heirloom/core'
import { hasRow, inspectFile, readValues } from '../platform/sql/inspect-file.ts'

/**
 * Reports whether the file of a catalogue that no process has open holds a token. A file that cannot
 * be read counts as empty: it is built again from the chain.
 */
export const hasStoredTokens = (path: string): boolean => hasRow(path, 'token') ?? false

/** Returns the last indexed block in a file that no process has open, and the head at that time. */
export function storedProgress(path: string): { readonly block: number; readonly head: number } {
  return inspectFile(path, (file) => {
    const row = file.prepare('SELECT block, head FROM meta').get()
    return { block: Number(row?.block ?? 0), head: Number(row?.head ?? 0) }
  })
}

/**
 * Returns the digests of some sealed bundles that were found in the blob store, from the file of a
 * catalogue that no process has open; none when the catalogue is of another chain, or cannot be read.
 */
export function storedSeals(path: string, genesis: string): readonly Digest[] {
  const [name = ''] = readValues(path, 'SELECT name AS value FROM meta')
  if (!name.includes(`:${genesis}:`)) return []
  // In earlier tables it is a text, and the state is `read`.
  const value = "iif(typeof(digest) = 'blob', '0x' || lower(hex(digest)), digest)"
  const query = `SELECT ${value} AS value FROM seal WHERE state IN ('found', 'read') LIMIT 100`
  return readValues(path, query) as readonly Digest[]
}
