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

/**
 * Returns the number of the last entry in the file of a journal that no process has open; `undefined`
 * when it holds none, or cannot be read.
 */
export function storedHeight(path: string): number | undefined {
  const [height] = readValues(path, 'SELECT max(number) AS value FROM entry')
  return height === undefined || height === 'null' ? undefined : Number(height)
}

/**
 * Returns the hash of a block with an entry after it, from the file of a journal that no process has
 * open; `undefined` for any other, or when it cannot be read.
 */
export const storedBlockHash = (path: string, number: number): string | undefined =>
  readValues(path, `SELECT parent AS value FROM entry WHERE number = ${number + 1}`)[0]
