/**
 * The tiers of the tests: `pnpm test:unit` runs what needs no process, `npm test` every statement,
 * and `npm run test:long` every statement at large counts, and in more forms.
 */
export type Tier = 'unit' | 'test' | 'long'

/** The tier of this run. */
export const tier: Tier = tierOf(process.env.TIER)

/** Returns how often a test does something: a least number in `npm test`, a larger one in the long tier. */
export function times(least: number, long: number): number {
  if (long < least) throw new Error(`The long tier does less than the other: ${long} < ${least}.`)
  return tier === 'long' ? long : least
}

/** The seed of the properties: `FC_SEED`, else the day in the long tier, and in the others always one. */
export const seedOfRun = Number(process.env.FC_SEED ?? (tier === 'long' ? dayNumber() : 20_261_120))

/** Returns the day of the calendar as a number, such as 20261129. */
function dayNumber(): number {
  return Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''))
}

/** Bounds a wait for what must come, in milliseconds: a machine may be slow, but a hang must end. */
export const longestWait = 540_000

function tierOf(name = 'test'): Tier {
  if (name === 'unit' || name === 'test' || name === 'long') return name
  throw new Error(`TIER is "${name}"; set it to unit, test or long, or leave it out.`)
}
