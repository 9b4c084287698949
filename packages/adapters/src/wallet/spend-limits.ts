import { type Currency, dollars, Failure, wei } from '@heirloom/core'
import { type SpendStore, spendingInMemory } from './wallet-store.ts'

/** The most that a wallet may spend in a currency; no limit when absent. */
export type CurrencyLimits = {
  /** The limit of one act. */
  readonly perCall?: bigint | undefined
  /** The limit of one day (UTC), counted in the store of the wallet. */
  readonly perDay?: bigint | undefined
}

/** The most that a wallet may spend, in wei, fees included. */
export type SpendLimits = CurrencyLimits & {
  /**
   * The most that the fees of one act may be, in wei, also where they are raised because blocks leave it
   * out; without it they are raised to four times the first price at most.
   */
  readonly fee?: bigint | undefined
  /** The most that it may spend in dollars, in their smallest unit. */
  readonly dollars?: CurrencyLimits | undefined
}

/** An amount that counts as spent until its act ends. */
export type Reservation = {
  /** The entry in the store of the wallet; absent where nothing is counted. */
  readonly id?: number | undefined
  /** Replaces the amount by the one that was spent. */
  readonly settle: (spent: bigint) => void
}

/** The most that an act may cost, before and after its fees were raised. */
export type Costs = { readonly before: bigint; readonly after: bigint }

/** The count of what a wallet has spent today. */
export type SpendCount = {
  /**
   * Reserves the most that an act may cost.
   *
   * @throws `wallet/call-limit`, `wallet/day-limit`
   */
  readonly reserve: (needed: bigint) => Reservation
  /**
   * Reserves what an act may cost more than was reserved for it.
   *
   * @throws `wallet/call-limit`, `wallet/day-limit`
   */
  readonly raise: (costs: Costs) => Reservation
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
    /** The store that counts it; memory when absent. */
    readonly store?: SpendStore | undefined
  }
}

/** Creates the count of what a wallet spends in a currency. */
export function createSpendCount({
  limits,
  currency,
  now,
  store = spendingInMemory(),
}: createSpendCount.Parts): SpendCount {
  const { perCall, perDay } = limits
  const unit = currency === 'native' ? wei : dollars
  const named = currency === 'native' ? {} : { currency }
  const today = () => Math.floor(now() / dayLength)
  const requireCall = (needed: bigint) => {
    if (perCall === undefined || needed <= perCall) return
    const facts = { needed: unit(needed), limit: unit(perCall), ...named }
    throw new Failure('wallet/call-limit', facts)
  }
  const reserve = (needed: bigint) => {
    const reserved = store.reserve({ currency, day: today(), needed, limit: perDay })
    if ('id' in reserved) return reservationOf(store, reserved.id)
    const facts = { needed: unit(needed), spent: unit(reserved.spent), limit: unit(perDay ?? 0n) }
    throw new Failure('wallet/day-limit', { ...facts, ...named })
  }
  return {
    state: () => ({
      spentToday: `${store.spentOn(currency, today())}`,
      maxSpendPerCall: printLimit(perCall),
      maxSpendPerDay: printLimit(perDay),
    }),
    reserve: (needed) => {
      requireCall(needed)
      return reserve(needed)
    },
    raise: ({ before, after }) => {
      requireCall(after)
      return reserve(after > before ? after - before : 0n)
    },
  }
}

/** Returns the reservation of an entry in a store. */
export const reservationOf = (
  store: Pick<SpendStore, 'settle'>,
  id: number | undefined,
): Reservation => ({
  id,
  settle: (spent) => {
    if (id !== undefined) store.settle(id, spent)
  },
})

const printLimit = (limit: bigint | undefined) => (limit === undefined ? null : `${limit}`)
