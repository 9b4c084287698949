import {
  type Block,
  type ChainReader,
  ChainReorganised,
  mapConcurrently,
  requireBlock,
  type TimedLog,
  withTimes,
} from './chain-reader.ts'
import type { RangeSize } from './range-size.ts'

/** The events of a range of blocks, which are written in one transaction. */
export type Batch = {
  readonly logs: readonly TimedLog[]
  /** The blocks that a reorganisation can still undo. */
  readonly blocks: readonly Pick<Block, 'number' | 'hash'>[]
  /** The last block of the range. */
  readonly upTo: number
}

/** The blocks to read next. */
export type BatchRange = {
  /** The last block before the range; its hash when a reorganisation can still undo it. */
  readonly after: number
  readonly afterHash: string | undefined
  readonly head: number
  /** The number of newest blocks that a reorganisation can undo. */
  readonly reorgDepth: number
}

/** Reads the next batch: a long range of final blocks, or single blocks near the head. */
export function readBatch(
  reader: ChainReader,
  rangeSize: RangeSize,
  range: BatchRange,
): Promise<Batch> {
  return range.after < range.head - range.reorgDepth
    ? readFinal(reader, rangeSize, range)
    : readNewest(reader, range)
}

async function readFinal(
  reader: ChainReader,
  rangeSize: RangeSize,
  range: BatchRange,
): Promise<Batch> {
  const { after, head, reorgDepth } = range
  const lastFinal = head - reorgDepth
  const to = Math.min(lastFinal, after + rangeSize.current())
  const logs = await reader.logs({ from: after + 1, to }).catch((error: unknown) => {
    if (rangeSize.onRefusal() && isRefusal(error)) return undefined
    throw error
  })
  if (logs === undefined) return readFinal(reader, rangeSize, range)
  rangeSize.onAnswer(logs.length)
  const blocks = to === lastFinal && reorgDepth > 0 ? [await requireBlock(reader, to)] : []
  return { logs: await withTimes(reader, logs), blocks, upTo: to }
}

/** Returns whether the node refused the request; a node that is down would refuse a shorter range too. */
function isRefusal(error: unknown): boolean {
  return typeof (error as { readonly code?: unknown }).code === 'number'
}

/** The number of blocks per batch near the head. */
const newestBlocks = 16

async function readNewest(
  reader: ChainReader,
  { after, afterHash, head }: BatchRange,
): Promise<Batch> {
  const count = Math.min(newestBlocks, head - after)
  const numbers = Array.from({ length: count }, (_, index) => after + 1 + index)
  const blocks = await mapConcurrently(numbers, (number) => requireBlock(reader, number))
  let last = afterHash
  for (const { hash, parentHash } of blocks) {
    if (last !== undefined && parentHash !== last) {
      throw new ChainReorganised('The chain was reorganised.')
    }
    last = hash
  }
  // Requested by hash, so that events and blocks belong to one chain even after a reorganisation.
  const logs = await mapConcurrently(blocks, async ({ hash, at }) =>
    (await reader.logs({ blockHash: hash })).map((log) => ({ ...log, at })),
  )
  return { logs: logs.flat(), blocks, upTo: after + count }
}
