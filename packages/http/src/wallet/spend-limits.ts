import { type Currency, dollars, Failure, wei } from '@heirloom/core'

/** The most that a wallet may spend in a currency; no limit when absent. */
export type CurrencyLimits = {
  /** The limit of one act. */
  readonly perCall?: bigint | undefined
  /** The limit of one day (UTC). It is counted in memory, from the time the wallet was opened. */
  readonly perDay?: bigint | undefined
}

/** The most that a wallet may spend, in wei, fees included. */
export type SpendLimits = CurrencyLimits & {
  /** The most that it may spend in dollars, in their smallest unit. */
  readonly dollars?: CurrencyLimits | undefined
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

/** The amount that counts as spent today (UTC), and the limits. */
export type SpendState = {
  readonly spentToday: string
  readonly maxSpendPerCall: string | null
  readonly maxSpendPerDay: string | null
}

const dayLength = 86_400_000

export declare namespace createSpendCount {
  type Parts = {
    readonly limits: CurrencyLimits
    readonly currency: Currency
    /** Returns the time, in milliseconds. */
    readonly now: () => number
  }
}

/** Creates the count of what a wallet spends in a currency. */
export function createSpendCount({ limits, currency, now }: createSpendCount.Parts): SpendCount {
  const { perCall, perDay } = limits
  const unit = currency === 'native' ? wei : dollars
  const named = currency === 'native' ? {} : { currency }
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
        const facts = { needed: unit(needed), limit: unit(perCall), ...named }
        throw new Failure('wallet/call-limit', facts)
      }
      if (perDay !== undefined && spent + needed > perDay) {
        const facts = { needed: unit(needed), spent: unit(spent), limit: unit(perDay) }
        throw new Failure('wallet/day-limit', { ...facts, ...named })
      }
      const day = today()
      spentOn.set(day, spent + needed)
      return { settle: (actual) => spentOn.set(day, (spentOn.get(day) ?? 0n) - needed + actual) }
    },
  }
}

const printLimit = (limit: bigint | undefined) => (limit === undefined ? null : `${limit}`)
