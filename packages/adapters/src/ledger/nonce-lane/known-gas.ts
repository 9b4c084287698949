import { Failure } from '@heirloom/core'
import { callNode } from '../node-call.ts'
import { withGasMargin } from '../send-once.ts'
import type { Call } from './job.ts'
import { leastGasOf } from './known-acts.ts'
import type { knownChain, PriceOptions } from './known-chain.ts'
import { larger } from './replacement-price.ts'
import { transferGas } from './slots.ts'

/** More gas than any block takes: such an estimate is an error of the node. */
const absurdGas = 2n ** 28n

/** The estimate of calls of a shape, their gas limit, and the time of the estimate. */
type KnownGas = {
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
export function knownGas(
  parts: Parts,
  { isRecent, elapsed }: Memory,
): (call: Call, options: PriceOptions) => Promise<bigint> {
  let known: KnownGas | undefined
  return async (call, { limit, shape }) => {
    const ofShape = known?.shape === shape ? known : undefined
    if (ofShape && isRecent(ofShape)) return ofShape.amount
    const least = ofShape && ofShape.estimate / 2n
    const estimate = await estimateGas(parts, { call, limit, least })
    const amount = smaller(withGasMargin(estimate), limit)
    if (shape !== undefined) known = { shape, estimate, amount, at: elapsed() }
    return amount
  }
}

const smaller = (amount: bigint, limit = amount): bigint => (amount < limit ? amount : limit)

type Parts = Pick<knownChain.Parts, 'client' | 'wallet'>

type Estimate = {
  readonly call: Call
  readonly limit: bigint | undefined
  /** Half of the gas that calls of the same shape took before; absent where none was made. */
  readonly least: bigint | undefined
}

/** Estimates the gas of a call; a second time where the first answer is below what is known of it. */
async function estimateGas(
  { client, wallet }: Parts,
  { call, limit, least = 0n }: Estimate,
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
  const gas = first < larger(least, floor) ? await estimate() : first
  if (gas >= floor && gas < absurdGas) return gas
  const bound = gas < absurdGas ? 'less than the act ever takes' : 'more than a block holds'
  const cause = new Error(`The node estimates ${gas} gas, ${bound}.`)
  throw new Failure('ledger/unavailable', { operation: 'eth_estimateGas' }, { cause })
}
