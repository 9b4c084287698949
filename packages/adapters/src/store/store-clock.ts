/**
 * The clock of a database, which all processes that share it read: clocks of machines differ, by
 * minutes if need be, and what one of them accepts another one must not find too old.
 */
export type StoreClock = {
  /** Returns the time, in milliseconds since 1970. */
  now(): number
  /** Adjusts the clock to a time that is read from the database. */
  adjust(read: () => Promise<number>): Promise<void>
}

/** The longest answer that says what time it is, in milliseconds. */
const longestAnswer = 1000

/** Opens the clock of a database with a first reading of its time, in milliseconds since 1970. */
export async function storeClock(read: () => Promise<number>): Promise<StoreClock> {
  let { offset } = await measure(read)
  return {
    now: () => Math.round(performance.now() + offset),
    adjust: async (readAgain) => {
      const measured = await measure(readAgain)
      if (measured.took < longestAnswer) offset = measured.offset
    },
  }
}

/** Returns how far a time is from the clock of this process that nobody can set. */
async function measure(
  read: () => Promise<number>,
): Promise<{ readonly offset: number; readonly took: number }> {
  const sentAt = performance.now()
  const time = await read()
  const receivedAt = performance.now()
  return { offset: time - (sentAt + receivedAt) / 2, took: receivedAt - sentAt }
}
