/** The limits for requests to the embedded chain from clients outside this process. */
export type PublicLimits = {
  /** The most gas that one call or transaction may use. */
  readonly gas: bigint
  /** The gas that all transactions together may use in a day. */
  readonly gasPerDay: bigint
}

/**
 * The default limits. The EVM keeps every step of an execution until it ends, and the data of every call
 * in it four times over, so that 150,000 gas of calls with much data take 0.4 GB, and 500,000 take 2.5
 * GB. What runs only the code of this project has no such limit.
 */
export const publicLimits: PublicLimits = { gas: 150_000n, gasPerDay: 200_000_000n }
