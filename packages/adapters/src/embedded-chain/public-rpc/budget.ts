/** Amounts that each of many names may use, which come back with time. */
export type Allowance = {
  /** Returns how long it takes until a name may use an amount, in seconds; 0 when it may now. */
  wait(name: string, amount: number): number
  /** Takes an amount from a name, into debt if need be; a negative amount gives it back. */
  use(name: string, amount: number): void
}

export declare namespace allowance {
  type Options = {
    /** What a name may use at once. */
    readonly most: number
    /** How much of it comes back in a second. */
    readonly perSecond: number
    /** Milliseconds. */
    readonly now: () => number
  }
}

/** How many names are remembered; beyond it those that have everything back are forgotten. */
const mostNames = 10_000

type Account = { left: number; at: number }

/** Returns an allowance that nobody has used yet. */
export function allowance({ most, perSecond, now }: allowance.Options): Allowance {
  const accounts = new Map<string, Account>()
  const leftOf = ({ left, at }: Account) =>
    Math.min(most, left + (Math.max(0, now() - at) / 1000) * perSecond)
  const left = (name: string) => {
    const account = accounts.get(name)
    return account === undefined ? most : leftOf(account)
  }
  const forget = () => {
    for (const [name, account] of accounts) if (leftOf(account) >= most) accounts.delete(name)
    const oldest = accounts.keys().next().value
    if (accounts.size >= mostNames && oldest !== undefined) accounts.delete(oldest)
  }
  return {
    wait: (name, amount) => {
      // More than there ever is may be used when all of it is there.
      const missing = Math.min(amount, most) - left(name)
      return missing > 0 ? missing / perSecond : 0
    },
    use: (name, amount) => {
      const rest = Math.min(most, left(name) - amount)
      if (!accounts.has(name) && accounts.size >= mostNames) forget()
      accounts.delete(name)
      accounts.set(name, { left: rest, at: now() })
    },
  }
}
