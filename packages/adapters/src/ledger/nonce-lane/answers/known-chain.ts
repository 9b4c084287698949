import { Failure } from '@heirloom/core'
import { Eip1559FeesNotSupportedError } from 'viem'
import { callNode } from '../../node-call.ts'
import { requireBalance } from '../../transaction.ts'
import { type ChainFees, isDoubtful, readTwiceIfDoubtful } from '../fees/doubtful-fees.ts'
import { gasEstimates, type LaneChain, type PriceOptions } from '../fees/gas-estimates.ts'
import type { Call } from '../job.ts'
import type { Head } from '../pending-slots.ts'
import { maxCost, type Pricing } from '../slots.ts'

/** The price of a transaction, and the least nonce that it can have. */
export type Priced = Pricing & { readonly leastNonce: number }

/**
 * The knowledge that the leader of a lane has of its chain: its own acts, and what it read within the
 * last half second. So a write in a row of writes sends no request before it is sent itself.
 */
export type KnownChain = {
  /**
   * Simulates a call on the pending state and returns its price.
   *
   * @throws the failure that a revert names, `wallet/short`, `ledger/unavailable`
   */
  price(call: Call, options: PriceOptions): Promise<Priced>
  /** Records a signed transaction, which may cost so much at most. */
  spend(cost: bigint): void
  /** Records the newest block. */
  seeHead(head: Pick<Head, 'baseFeePerGas'>): void
  /** Makes the next price ask for the nonce again, since another program used one of the wallet's. */
  forgetNonce(): void
}

export declare namespace knownChain {
  type Parts = LaneChain & {
    /** Returns whether the chain answered when it was asked last: nothing is signed where it did not. */
    readonly isReachable?: (() => boolean) | undefined
    /** Returns milliseconds. */
    readonly elapsed?: () => number
  }
}

/** The time for which a fact that was read is used again, in milliseconds. */
const knownFor = 500

/** Returns the knowledge of a lane that knows nothing yet. */
export function knownChain(parts: knownChain.Parts): KnownChain {
  const { elapsed = () => performance.now(), isReachable = () => true, wallet } = parts
  const isRecent = ({ at }: { readonly at: number }): boolean =>
    elapsed() - at < knownFor && isReachable()
  const known: Known = { market: undefined, fees: undefined, hasNonce: false }
  const gasOf = gasEstimates(parts, { isRecent, elapsed })
  const marketNow = async ({ reserved }: PriceOptions, value: bigint): Promise<Market> => {
    // What is only remembered refuses nothing: a payment beyond it is compared with what the node says.
    if (known.market && isRecent(known.market) && known.market.free >= value) return known.market
    const market = await readTwiceIfDoubtful(
      () => readMarket(parts, reserved, elapsed()),
      known.fees,
    )
    known.market = market
    known.fees = market
    requireBalance(wallet.address, market.free, value)
    return market
  }
  const price: KnownChain['price'] = async (call, options) => {
    const nonce = known.hasNonce ? 0 : readNonce(parts)
    const simulation = Promise.all([options.known ?? gasOf(call, options), nonce])
    simulation.catch(() => undefined) // `wallet/short` comes before its failure.
    const before = known.market
    const market = await marketNow(options, call.value)
    const [gas, leastNonce] = await simulation
    const priced = { ...feesOf(market), gas, leastNonce }
    const needed = maxCost(call.value, priced)
    if (market === before && market.free < needed) {
      known.market = undefined
      return price(call, options)
    }
    requireBalance(wallet.address, market.free, needed)
    return priced
  }
  return {
    price,
    spend: (cost) => {
      known.hasNonce = true
      if (known.market) known.market = { ...known.market, free: known.market.free - cost }
    },
    seeHead: ({ baseFeePerGas: baseFee }) => {
      if (known.market === undefined || typeof baseFee !== 'bigint') return
      const market = { ...known.market, baseFee }
      known.market = isDoubtful(market, known.market) ? undefined : market
    },
    forgetNonce: () => void Object.assign(known, { hasNonce: false }),
  }
}

type Known = {
  market: Market | undefined
  /** The fees that were believed last, however old they are. */
  fees: ChainFees | undefined
  /** Whether a write was signed since the nonce was read: only then were those skipped that the chain counted. */
  hasNonce: boolean
}

/** The fees of the newest block, and what the wallet can spend; read at one time. */
type Market = ChainFees & { readonly at: number; readonly free: bigint }

/** The most transactions that other programs have pending: a count further ahead is an error of the node. */
const mostPending = 64

/** Reads the next nonce. No nonce is skipped for a count that cannot be: the lane would fill each below it. */
async function readNonce({ client, wallet: { address } }: LaneChain): Promise<number> {
  const countAt = (blockTag: 'pending' | 'latest') =>
    callNode('eth_getTransactionCount', () => client.getTransactionCount({ address, blockTag }))
  const [pending, mined] = await Promise.all([countAt('pending'), countAt('latest')])
  return pending > mined + mostPending ? mined : pending
}

async function readMarket(
  { client, wallet: { address } }: LaneChain,
  reserved: bigint,
  at: number,
): Promise<Market> {
  const read = () =>
    Promise.all([
      client.getBlock({ includeTransactions: false }),
      client.estimateMaxPriorityFeePerGas(),
      client.getBalance({ address }),
    ])
  const [{ baseFeePerGas: baseFee }, tip, balance] = await callNode('eth_getBalance', read)
  if (typeof baseFee !== 'bigint') {
    const cause = new Eip1559FeesNotSupportedError()
    throw new Failure('ledger/unavailable', { operation: 'eth_getBlockByNumber' }, { cause })
  }
  return { at, baseFee, tip, free: balance > reserved ? balance - reserved : 0n }
}

/** Returns the fees of a transaction: its price may rise by a fifth until its block, as in viem. */
export function feesOf({ baseFee, tip }: ChainFees): Omit<Pricing, 'gas'> {
  return { maxFeePerGas: (baseFee * 6n) / 5n + tip, maxPriorityFeePerGas: tip }
}
