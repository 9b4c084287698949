/** The limits for requests to the embedded chain from clients outside this process. */
export type PublicLimits = {
  /** The most gas that one call or transaction may use. */
  readonly gas: bigint
  /** The gas that all transactions together may use in a day. */
  readonly gasPerDay: bigint
}

/**
 * The default limits. The EVM records every step of an execution, in up to 0.8 KB
 * for each unit of gas, so a call of 500,000 takes 0.4 GB at worst.
 */
export const publicLimits: PublicLimits = { gas: 500_000n, gasPerDay: 200_000_000n }
