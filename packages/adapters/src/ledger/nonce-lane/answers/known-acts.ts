import {
  erc20Abi,
  getAbiItem,
  type Hex,
  type Log,
  parseAbi,
  toEventSelector,
  toFunctionSelector,
} from 'viem'
import { forwarderAbi, memoryMarketplaceAbi as market } from '../../contracts.generated.ts'
import { type MintItem, minted, mintedPairs, wordAt } from '../job.ts'
import type { Slot } from '../slots.ts'

/** An act, as far as it is the same on every chain. */
type KnownAct = {
  /** The names of the events of which it emits one. */
  readonly topics: readonly Hex[]
  /** The word of its arguments that is the first value of this event. */
  readonly argument?: number
  /** Less gas than it ever takes: an estimate below it is an error of the node. */
  readonly leastGas: bigint
}

type MarketItem = Extract<(typeof market)[number], { readonly name: string }>['name']

const itemOf = (name: MarketItem) => getAbiItem({ abi: market, name } as never) as never

function actOnMarket(
  name: MarketItem,
  events: readonly MarketItem[],
  more: Omit<KnownAct, 'topics'>,
): readonly [string, KnownAct] {
  const topics = events.map((event) => toEventSelector(itemOf(event)))
  return [toFunctionSelector(itemOf(name)), { topics, ...more }]
}

const executed = toEventSelector(getAbiItem({ abi: forwarderAbi, name: 'ExecutedForwardRequest' }))
const transferred = toEventSelector(getAbiItem({ abi: erc20Abi, name: 'Transfer' }))

const ordered = [
  ...(['SoldForDollars', 'RentedForDollars'] as const),
  ...(['ForkedForDollars', 'RoyaltyPaidInDollars'] as const),
] as const

/** The function of the test dollar that makes dollars for an account. */
export const faucetAbi = parseAbi(['function faucet(address to, uint256 amount)'])

/** The acts of a wallet but for its mints, by their selectors. An order begins with its act and its token. */
const knownActs: ReadonlyMap<string, KnownAct> = new Map([
  actOnMarket('list', ['Listed'], { argument: 0, leastGas: 24_000n }),
  actOnMarket('listInDollars', ['ListedInDollars'], { argument: 0, leastGas: 24_000n }),
  actOnMarket('buy', ['Sold'], { argument: 0, leastGas: 50_000n }),
  actOnMarket('rent', ['Rented'], { argument: 0, leastGas: 45_000n }),
  actOnMarket('fork', ['Forked'], { argument: 0, leastGas: 65_000n }),
  actOnMarket('payRoyalty', ['RoyaltyPaid'], { argument: 0, leastGas: 24_000n }),
  actOnMarket('payOrder', ordered, { argument: 1, leastGas: 90_000n }),
  actOnMarket('settle', ordered, { argument: 1, leastGas: 90_000n }),
  actOnMarket('refund', ['OrderRefunded'], { leastGas: 30_000n }),
  [
    toFunctionSelector(getAbiItem({ abi: forwarderAbi, name: 'execute' })),
    { topics: [executed], leastGas: 40_000n },
  ],
  [toFunctionSelector(faucetAbi[0]), { topics: [transferred], leastGas: 24_000n }],
])

const actOf = (data: Hex): KnownAct | undefined => knownActs.get(data.slice(0, 10))

/** The gas of an empty transaction, and less than any mint in one adds. */
const mintGas = { base: 21_000n, each: 60_000n }

/** Returns less gas than a call ever takes; with its margin it is enough for a mint. */
export function leastGasOf(data: Hex): bigint {
  const pairs = mintedPairs(data)
  if (pairs !== undefined) return mintGas.base + mintGas.each * BigInt(pairs.length)
  return actOf(data)?.leastGas ?? 0n
}

/**
 * Returns whether the events of a transaction that succeeded are those of its call: the mint of each
 * pair in their order, or the event that every other act of ours emits.
 */
export function showsAct({ to, data }: Pick<Slot, 'to' | 'data'>, all: readonly Log[]): boolean {
  const logs = all.filter(({ address }) => address.toLowerCase() === to.toLowerCase())
  const pairs = mintedPairs(data)
  if (pairs !== undefined) return showsMints(pairs, logs)
  const act = actOf(data)
  return act === undefined || logs.some((log) => isEventOf(act, data, log))
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

function isEventOf({ topics, argument }: KnownAct, data: Hex, log: Log): boolean {
  const [name, first] = log.topics
  if (name === undefined || !topics.includes(name)) return false
  return argument === undefined || first === wordAt(`0x${data.slice(10)}`, argument)
}
