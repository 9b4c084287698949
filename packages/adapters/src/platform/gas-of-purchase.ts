/** A payment to a seller and creators on a chain in this process, as far as its cost depends on it. */
export type Purchase = {
  /** The number of licensed forks above the token. */
  readonly depth: number
  /** The number of accounts that are paid. */
  readonly payees: number
  /** The number of those that have code, each of which gets 100,000 gas. */
  readonly withCode: number
}

/** The most gas of a purchase of a token that is no fork; one that pays nine accounts with little code takes less. */
export const gasOfPurchase = 400_000n

/** The payees of a purchase that may use all gas that they get. Two take the memory of a small server. */
const mostBurners = 2

/** The gas before the first payment and for the last one, and what each payee and each fork above add. */
const gas = { ofAct: 240_000n, ofPayee: 40_000n, ofCode: 100_000n, ofGeneration: 2_700n }

/**
 * Returns the most gas of a purchase whose payees have code. The contracts make no payment with less
 * than 140,000 left, so that one with more than two payees who burn what they get fails.
 */
export function gasFor({ depth, payees, withCode }: Purchase): bigint {
  const deeper = gas.ofGeneration * BigInt(depth)
  if (withCode > mostBurners) return gasOfPurchase + deeper
  const whole = gas.ofAct + gas.ofPayee * BigInt(payees) + gas.ofCode * BigInt(withCode)
  return (whole > gasOfPurchase ? whole : gasOfPurchase) + deeper
}

/** The most gas of any purchase: of a token after 64 forks, with nine payees. */
export const gasOfDearestPurchase = gasFor({ depth: 64, payees: 9, withCode: mostBurners })
