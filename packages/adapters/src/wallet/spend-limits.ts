import { type Currency, dollars, Failure, wei } from '@heirloom/core'

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

/** An amount to be counted against the limit of a day, unless that would be more. */
export type Spending = {
  readonly currency: Currency
  /** The day (UTC), in days since 1970. */
  readonly day: number
  readonly needed: bigint
  /** The limit of the day; none when absent. */
  readonly limit: bigint | undefined
}

/**
 * The amounts that a wallet has spent on its newest day. Days do not go back: with a clock that was set
 * back, acts count for the newest day that was counted before.
 */
export type SpendStore = {
  /** Returns the amount that counts for a day, or for the newest one after it. */
  readonly spentOn: (currency: Currency, day: number) => bigint
  /**
   * Counts an amount, if it is within the limit together with all others, of other processes too.
   * Returns the id of the entry, or what was spent where that leaves too little.
   */
  readonly reserve: (spending: Spending) => { readonly id: number } | { readonly spent: bigint }
  /** Replaces the amount of an entry, once. */
  readonly settle: (id: number, amount: bigint) => void
}

/** Creates a count that ends with the process. */
export function spendingInMemory(): SpendStore {
  const newest = new Map<Currency, { readonly day: number; spent: bigint }>()
  const entries = new Map<number, { readonly on: { spent: bigint }; readonly amount: bigint }>()
  let lastId = 0
  const dayOf = (currency: Currency, day: number) => {
    const counted = newest.get(currency)
    return counted !== undefined && counted.day >= day ? counted : { day, spent: 0n }
  }
  return {
    spentOn: (currency, day) => dayOf(currency, day).spent,
    reserve: ({ currency, day, needed, limit }) => {
      const on = dayOf(currency, day)
      if (limit !== undefined && on.spent + needed > limit) return { spent: on.spent }
      on.spent += needed
      newest.set(currency, on)
      entries.set(++lastId, { on, amount: needed })
      return { id: lastId }
    },
    settle: (id, amount) => {
      const entry = entries.get(id)
      if (entry === undefined) return
      entry.on.spent += amount - entry.amount
      entries.delete(id)
    },
  }
}
