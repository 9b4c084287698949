import type { Wei } from './money.ts'

/** The name that a write is charged to, and the limits of its spending. */
export type Budget = {
  readonly name: string
  /** The most that one write may cost, in wei; unlimited when absent. */
  readonly perCall?: Wei | undefined
  /** The most that the writes of a day (UTC) may cost, in wei; unlimited when absent. */
  readonly perDay?: Wei | undefined
  /** Whether the writes of all wallets of a server count together; those of each apart when absent. */
  readonly spansWallets?: boolean | undefined
}
