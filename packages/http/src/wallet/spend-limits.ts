import { Failure, wei } from '@heirloom/core'

/** The most that a wallet may spend, in wei, fees included; no limit when absent. */
export type SpendLimits = {
  /** The limit of one act. */
  readonly perCall?: bigint | undefined
  /** The limit of one day (UTC). It is counted in memory, from the time the wallet was opened. */
  readonly perDay?: bigint | undefined
}

/** An amount that counts as spent until its act ends. */
export type Reservation = {
  /** Replaces the amount by the one that was spent. */
  readonly settle: (spent: bigint) => void
}

/** The count of what a wallet has spent today. */
export type SpendCount = {
  /**
   * Reserves the most that an act may cost.
   *
   * @throws `wallet/call-limit`, `wallet/day-limit`
   */
  readonly reserve: (needed: bigint) => Reservation
  /** Returns what counts for today (UTC), and the limits; null for none. */
  readonly state: () => SpendState
}

/** The amount that counts as spent today (UTC), and the limits, in wei. */
export type SpendState = {
  readonly spentToday: string
  readonly maxSpendPerCall: string | null
  readonly maxSpendPerDay: string | null
}

const dayLength = 86_400_000

/** Creates the count of what a wallet spends, with the time in milliseconds. */
export function createSpendCount({ perCall, perDay }: SpendLimits, now: () => number): SpendCount {
  const spentOn = new Map<number, bigint>()
  const today = () => Math.floor(now() / dayLength)
  const spentToday = () => spentOn.get(today()) ?? 0n
  return {
    state: () => ({
      spentToday: `${spentToday()}`,
      maxSpendPerCall: printLimit(perCall),
      maxSpendPerDay: printLimit(perDay),
    }),
    reserve: (needed) => {
      const spent = spentToday()
      if (perCall !== undefined && needed > perCall) {
        throw new Failure('wallet/call-limit', { needed: wei(needed), limit: wei(perCall) })
      }
      if (perDay !== undefined && spent + needed > perDay) {
        const facts = { needed: wei(needed), spent: wei(spent), limit: wei(perDay) }
        throw new Failure('wallet/day-limit', facts)
      }
      const day = today()
      spentOn.set(day, spent + needed)
      return { settle: (actual) => spentOn.set(day, (spentOn.get(day) ?? 0n) - needed + actual) }
    },
  }
}

const printLimit = (limit: bigint | undefined) => (limit === undefined ? null : `${limit}`)
