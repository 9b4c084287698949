import {
  erc20Abi,
  getAbiItem,
  type Hex,
  type Log,
  parseAbi,
  toEventSelector,
  toFunctionSelector,
} from 'viem'
import { forwarderAbi, memoryMarketplaceAbi as market } from '../contracts.generated.ts'
import { type MintItem, minted, mintedPairs, wordAt } from './job.ts'
import type { Slot } from './slots.ts'

/** The names of the events of which an act emits one, and the word of its arguments that is their first value. */
type Trace = { readonly topics: readonly Hex[]; readonly argument?: number }

/** The trace of each act of one token, and of each that others signed or paid, by its selector. */
const traces: ReadonlyMap<string, Trace> = new Map([
  ...tracesOf(['list'], ['Listed'], 0),
  ...tracesOf(['listInDollars'], ['ListedInDollars'], 0),
  ...tracesOf(['buy'], ['Sold'], 0),
  ...tracesOf(['rent'], ['Rented'], 0),
  ...tracesOf(['fork'], ['Forked'], 0),
  ...tracesOf(['payRoyalty'], ['RoyaltyPaid'], 0),
  // An order begins with its act and its token.
  ...tracesOf(
    ['payOrder', 'settle'],
    ['SoldForDollars', 'RentedForDollars', 'ForkedForDollars', 'RoyaltyPaidInDollars'],
    1,
  ),
  ...tracesOf(['refund'], ['OrderRefunded']),
  [
    toFunctionSelector(getAbiItem({ abi: forwarderAbi, name: 'execute' })),
    {
      topics: [toEventSelector(getAbiItem({ abi: forwarderAbi, name: 'ExecutedForwardRequest' }))],
    },
  ],
  [
    toFunctionSelector(parseAbi(['function faucet(address to, uint256 amount)'])[0]),
    { topics: [toEventSelector(getAbiItem({ abi: erc20Abi, name: 'Transfer' }))] },
  ],
])

type MarketItem = Extract<(typeof market)[number], { readonly name: string }>['name']

function tracesOf(
  functions: readonly MarketItem[],
  events: readonly MarketItem[],
  argument?: number,
): readonly (readonly [string, Trace])[] {
  const itemOf = (name: MarketItem) => getAbiItem({ abi: market, name } as never) as never
  const topics = events.map((name) => toEventSelector(itemOf(name)))
  const trace = argument === undefined ? { topics } : { topics, argument }
  return functions.map((name) => [toFunctionSelector(itemOf(name)), trace] as const)
}

/**
 * Returns whether the events of a transaction that succeeded are those of its call: the mint of each
 * pair in their order, or the event that every other act of ours emits.
 */
export function showsAct({ to, data }: Pick<Slot, 'to' | 'data'>, all: readonly Log[]): boolean {
  const logs = all.filter(({ address }) => address.toLowerCase() === to.toLowerCase())
  const pairs = mintedPairs(data)
  if (pairs !== undefined) return showsMints(pairs, logs)
  const trace = traces.get(data.slice(0, 10))
  return trace === undefined || logs.some((log) => isTrace(trace, data, log))
}

function showsMints(
  pairs: readonly Pick<MintItem, 'contentHash' | 'digest'>[],
  logs: readonly Log[],
): boolean {
  const mints = logs.filter(({ topics }) => topics[0] === minted)
  const isShown = ({ contentHash, digest }: (typeof pairs)[number], index: number) =>
    mints[index]?.topics[3] === contentHash && wordAt(mints[index].data, 0) === digest
  return mints.length === pairs.length && pairs.every(isShown)
}

function isTrace({ topics, argument }: Trace, data: Hex, log: Log): boolean {
  const [name, first] = log.topics
  if (name === undefined || !topics.includes(name)) return false
  return argument === undefined || first === wordAt(`0x${data.slice(10)}`, argument)
}
