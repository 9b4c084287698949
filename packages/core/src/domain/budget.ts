import type { Wei } from './money.ts'

/** In whose name a write is made, and how much writes in that name may spend. */
export type Budget = {
  readonly name: string
  /** The most that one write may cost, in wei; anything when absent. */
  readonly perCall?: Wei | undefined
  /** The most that the writes of a day (UTC) may cost, in wei; anything when absent. */
  readonly perDay?: Wei | undefined
}
