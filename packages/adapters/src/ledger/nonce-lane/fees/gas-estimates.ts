import { Failure } from '@heirloom/core'
import type { Hex, PublicClient } from 'viem'
import { transferGas } from '../../../platform/nodes/receipt-fault.ts'
import { callNode } from '../../node-call.ts'
import { withGasMargin } from '../../transaction.ts'
import { leastGasOf } from '../answers/known-acts.ts'
import type { Call } from '../job.ts'
import { larger, smaller } from './replacement-price.ts'

/** More gas than any block takes: such an estimate is an error of the node. */
const absurdGas = 2n ** 28n

/** The estimate of calls of a shape, their gas limit, and the time of the estimate. */
type GasEstimate = {
  readonly shape: string
  readonly estimate: bigint
  readonly amount: bigint
  readonly at: number
}

type Memory = {
  readonly isRecent: (fact: { readonly at: number }) => boolean
  readonly elapsed: () => number
}

/** Returns a function that returns the gas limit of a call, from the last call of its shape if that was just now. */
export function gasEstimates(
  parts: LaneChain,
  { isRecent, elapsed }: Memory,
): (call: Call, options: PriceOptions) => Promise<bigint> {
  let last: GasEstimate | undefined
  return async (call, { limit, shape }) => {
    const ofShape = last?.shape === shape ? last : undefined
    if (ofShape && isRecent(ofShape)) return ofShape.amount
    const estimate = await estimateGas(parts, { call, limit, before: ofShape?.estimate })
    const withMargin = withGasMargin(estimate)
    const amount = smaller(withMargin, limit ?? withMargin)
    if (shape !== undefined) last = { shape, estimate, amount, at: elapsed() }
    return amount
  }
}

/** The chain of a lane, and the wallet that writes to it. */
export type LaneChain = {
  readonly client: PublicClient
  readonly wallet: { readonly address: Hex }
}

type Estimate = {
  readonly call: Call
  readonly limit: bigint | undefined
  /** The estimate of the last call of the same shape; absent where none was made. */
  readonly before: bigint | undefined
}

/** Estimates the gas of a call; a second time where the first answer is below what is known of it. */
async function estimateGas(
  { client, wallet }: LaneChain,
  { call, limit, before = 0n }: Estimate,
): Promise<bigint> {
  const request = { ...call, gas: limit, account: wallet.address, prepare: false } as const
  const estimate = () =>
    callNode(
      'eth_estimateGas',
      () => client.estimateGas({ ...request, blockTag: 'pending' }),
      call.data,
    )
  // A call of a contract takes more than a transfer.
  const floor = larger(leastGasOf(call.data), transferGas + 1n)
  const first = await estimate()
  const gas = first < larger(before / 2n, floor) ? await estimate() : first
  if (gas >= floor && gas < absurdGas) return gas
  const bound = gas < absurdGas ? 'less than the act ever takes' : 'more than a block holds'
  const cause = new Error(`The node estimates ${gas} gas, ${bound}.`)
  throw new Failure('ledger/unavailable', { operation: 'eth_estimateGas' }, { cause })
}

/** The bounds of a price. */
export type PriceOptions = {
  /** The most gas that it may get; no limit applies when absent. */
  readonly limit?: bigint | undefined
  /** The gas limit of a call that is not estimated. */
  readonly known?: bigint | undefined
  /** Calls of one shape cannot fail and take the same gas; absent for all others. */
  readonly shape?: string | undefined
  /** The most that the open slots may still cost, in wei. */
  readonly reserved: bigint
}
