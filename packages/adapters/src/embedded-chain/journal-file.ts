import { hasRow } from '../platform/sql/inspect-file.ts'

/**
 * Reports whether the file of a journal that no process has open holds an entry after the first
 * `skipped` ones. A file that cannot be read counts as one that does.
 */
export const hasStoredEntries = (path: string, skipped = 0): boolean =>
  hasRow(path, 'entry', `number > ${skipped}`) ?? true
