/** Amounts that each of many names may use, refilled over time: a token bucket for each name. */
export type Budget = {
  /** Returns how long a name must wait until it may use an amount, in seconds; 0 when it may now. */
  wait(name: string, amount: number): number
  /** Charges an amount to a name, even below zero; a negative amount is refunded. */
  use(name: string, amount: number): void
}

export declare namespace budget {
  type Options = {
    /** The amount that a name may use at once. */
    readonly most: number
    /** The amount that is refilled in a second. */
    readonly perSecond: number
    /** Milliseconds. */
    readonly now: () => number
  }
}

const secondsPerDay = 86_400
/** Each of several names may use a fourth of the amount of a day. */
const share = 4

/** Returns the budget of a day for all together, and the one of which each name has its share. */
export function dayBudgets(
  most: number,
  now: () => number,
): { readonly all: Budget; readonly each: Budget } {
  const perSecond = most / secondsPerDay
  return {
    all: budget({ most, perSecond, now }),
    each: budget({ most: most / share, perSecond: perSecond / share, now }),
  }
}

/** The number of stored names; beyond it, names with a full budget are dropped. */
const nameLimit = 10_000

type Account = { left: number; at: number }

/** Returns a budget that is full for every name. */
export function budget({ most, perSecond, now }: budget.Options): Budget {
  const accounts = new Map<string, Account>()
  const leftOf = ({ left, at }: Account) =>
    Math.min(most, left + (Math.max(0, now() - at) / 1000) * perSecond)
  const left = (name: string) => {
    const account = accounts.get(name)
    return account === undefined ? most : leftOf(account)
  }
  const evict = () => {
    for (const [name, account] of accounts) if (leftOf(account) >= most) accounts.delete(name)
    const oldest = accounts.keys().next().value
    if (accounts.size >= nameLimit && oldest !== undefined) accounts.delete(oldest)
  }
  return {
    wait: (name, amount) => {
      // An amount above the whole budget may be used when the budget is full.
      const missing = Math.min(amount, most) - left(name)
      return missing > 0 ? missing / perSecond : 0
    },
    use: (name, amount) => {
      const rest = Math.min(most, left(name) - amount)
      if (!accounts.has(name) && accounts.size >= nameLimit) evict()
      accounts.delete(name)
      accounts.set(name, { left: rest, at: now() })
    },
  }
}
