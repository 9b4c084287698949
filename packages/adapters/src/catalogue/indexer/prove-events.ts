import {
  bloomOf,
  contains,
  countBits,
  isEmpty,
  type LogBloom,
  mayHoldEventsOf,
} from '../../platform/nodes/log-bloom.ts'
import type { Block, ChainReader } from './chain-reader.ts'
import { contradictionAt } from './contradiction.ts'
import type { RpcLog } from './logs.ts'

/** The events of a block, and whether its header proves that none is missing. */
export type ProvenEvents = { readonly logs: readonly RpcLog[]; readonly isWhole: boolean }

/**
 * The bits from which on a filter says nothing: with a quarter of its 2,048 bits set, one of 64 blocks
 * seems to hold events of an address without any.
 */
const denseFrom = 512

/** Returns whether the header of a block can tell whether it holds events of an address. */
export const canProve = ({ bloom }: Pick<Block, 'bloom'>): boolean =>
  bloom !== undefined && countBits(bloom) < denseFrom

/**
 * Compares the events of a block with the filter in its header. Where others emitted events too, asks
 * for all events of the block, which the filter must have as a whole, and which are numbered in a row.
 *
 * @throws `Contradiction`
 */
export async function proveEvents(
  reader: Pick<ChainReader, 'allLogs' | 'contracts'>,
  block: Block,
  logs: readonly RpcLog[],
): Promise<ProvenEvents> {
  const { bloom, number } = block
  if (bloom === undefined || isUnused(bloom, logs)) return { logs, isWhole: false }
  const shown = bloomOf(logs)
  if (!contains(bloom, shown)) {
    throw contradictionAt(number, `The header of block ${number} has not all events of the node.`)
  }
  const mayHold = reader.contracts.some((address) => mayHoldEventsOf(bloom, address))
  if (!mayHold || (contains(shown, bloom) && !hasGap(logs))) return { logs, isWhole: true }
  if (!canProve(block)) return { logs, isWhole: false }
  return { logs: await eventsAmongAll(reader, block, bloom), isWhole: true }
}

/** Returns whether an event between or before some is missing: a block counts all its events from 0. */
const hasGap = (logs: readonly RpcLog[]): boolean =>
  Math.max(-1, ...logs.map(({ logIndex }) => Number(logIndex))) >= logs.length

/** Returns whether a chain leaves the filters of its headers empty. */
const isUnused = (bloom: LogBloom, logs: readonly RpcLog[]): boolean =>
  logs.length > 0 && isEmpty(bloom)

async function eventsAmongAll(
  { allLogs, contracts }: Pick<ChainReader, 'allLogs' | 'contracts'>,
  { number, hash }: Block,
  bloom: LogBloom,
): Promise<readonly RpcLog[]> {
  const all = await allLogs(hash)
  const isElsewhere = ({ blockHash, blockNumber }: RpcLog) =>
    blockHash !== hash || Number(blockNumber) !== number
  if (all.some(isElsewhere) || hasGap(all) || !contains(bloomOf(all), bloom)) {
    throw contradictionAt(
      number,
      `The header of block ${number} has events that the node left out.`,
    )
  }
  const emitters = new Set(contracts.map((address) => address.toLowerCase()))
  return all.filter(({ address }) => emitters.has(address.toLowerCase()))
}
