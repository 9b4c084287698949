import { setImmediate as nextTurn } from 'node:timers/promises'

/** The number of rows per transaction: small, so that the event loop is not blocked for long. */
const writeSize = 8

/**
 * Writes rows, a few at a time, and gives the event loop a turn after each few: a store in this
 * process never waits for anything, so all others would wait until the last row is written.
 */
export async function writeInTurns<Row>(
  rows: readonly Row[],
  write: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  for (let begin = 0; begin < rows.length; begin += writeSize) {
    await write(rows.slice(begin, begin + writeSize))
    await nextTurn()
  }
}
