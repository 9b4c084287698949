import { decodeFunctionData, type Hex, size } from 'viem'
import { forwarderAbi } from '../contracts.generated.ts'

/**
 * The gas of a relayed transaction beside that of the call itself: its base, the forwarder, and the
 * signature of a contract (ERC-1271), which may use no more than this.
 */
const overhead = 200_000n

/** The highest price of a byte of call data (EIP-7623), in gas. */
const gasOfByte = 40n

/** The most gas of an act in dollars: a fork of a token with eight claims takes less. */
export const gasOfOrder = 1_200_000n

/**
 * The most gas of what a contract signed, beside what its data and the check of the signature take, on a
 * chain in this process, whose EVM keeps all that foreign code does. An act takes so much when an account
 * signs it.
 */
export const gasOfSigned = { forward: 155_000n, payOrder: 180_000n, settle: 205_000n } as const

/**
 * Returns the most gas that a job may use; `undefined` where only the chain limits it. Foreign code
 * runs in what is relayed, such as the check of a contract's signature.
 */
export function gasLimitOf(job: {
  readonly operation: string
  readonly data: Hex
}): bigint | undefined {
  if (isOrdered(job.operation)) return gasOfOrder
  if (job.operation !== 'relay') return undefined
  const { args } = decodeFunctionData({ abi: forwarderAbi, data: job.data })
  const { gas } = (args as readonly [{ readonly gas: bigint }])[0]
  return gasLimitFor(gas, job.data)
}

/** Returns whether an operation is an act in dollars, or the refund of one. */
export const isOrdered = (operation: string): boolean =>
  operation === 'payOrder' || operation === 'settle' || operation === 'refund'

/** Returns the gas limit of a transaction that forwards a call: a 64th of the gas stays behind. */
export const gasLimitFor = (gas: bigint, data: Hex): bigint =>
  (gas * 64n) / 63n + overhead + gasOfByte * BigInt(size(data))

/**
 * The longest time until the deadline of a relayed call, in seconds: acting in another way does not
 * void what was signed.
 */
export const longestDeadline = 3600
