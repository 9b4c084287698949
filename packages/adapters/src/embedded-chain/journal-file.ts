import { hasRow, readValues } from '../platform/sql/inspect-file.ts'

/**
 * Reports whether the file of a journal that no process has open holds an entry after the first
 * `skipped` ones. A file that cannot be read counts as one that does.
 */
export const hasStoredEntries = (path: string, skipped = 0): boolean =>
  hasRow(path, 'entry', `number > ${skipped}`) ?? true

/**
 * Returns the hash of block 0 from the file of a journal that no process has open; `undefined` when
 * it holds no entry, or cannot be read.
 */
export const storedGenesis = (path: string): string | undefined =>
  readValues(path, 'SELECT parent AS value FROM entry WHERE number = 1')[0]
