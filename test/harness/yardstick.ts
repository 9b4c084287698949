/** Returns the processor time of some work, of all threads of this process, in milliseconds. */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * Returns the least processor time of some work in three rounds, in milliseconds: one round may include
 * a collection of the garbage of other tests.
 */
export async function leastTime(work: () => unknown): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round < 3; round++) rounds.push(await processorTime(work))
  return Math.min(...rounds)
}

const notes = Array.from({ length: 8_000 }, (_, id) => ({
  id,
  text: `note ${id}`,
  at: [id, `${id}`],
}))

/**
 * Returns the processor time that a fixed piece of work takes here and now, in milliseconds: about
 * ten on a machine of 2020. Tests bound processor times by multiples of it, and never by the clock,
 * since a machine may be slow or busy.
 */
export async function yardstick(): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round < 7; round++) {
    rounds.push(await processorTime(() => JSON.parse(JSON.stringify(notes))))
  }
  return rounds.toSorted((one, other) => one - other)[3] ?? 0
}
