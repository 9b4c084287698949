import { postgresJobStore } from '@heirloom/adapters/job-store'

/** The time that it takes on a free machine of 2020 to open a store, in milliseconds. */
const usual = 60

/**
 * Returns how many times longer than usual a store takes to open here and now, as a whole number: by that much
 * tests lengthen the times after which one who is slow is taken for silent.
 */
export async function slowness(database: URL): Promise<number> {
  // The first store makes the tables.
  const took: number[] = []
  for (let round = 0; round < 3; round++) {
    const started = performance.now()
    const store = await postgresJobStore(database.href)
    took.push(performance.now() - started)
    await store.close()
  }
  return Math.max(1, Math.ceil(Math.max(...took.slice(1)) / usual))
}
