import {
  type Block,
  type ChainReader,
  mapConcurrently,
  requireBlock,
  type TimedLog,
  withTimeOf,
  withTimes,
} from './chain-reader.ts'
import { Contradiction, contradictionAt } from './contradiction.ts'
import { decodeLogs } from './logs.ts'
import { proveEvents } from './prove-events.ts'

/** The events of a range of blocks, which are written in one transaction. */
export type Batch = {
  readonly logs: readonly TimedLog[]
  /** The blocks that a reorganisation can still undo, and the last one. */
  readonly blocks: readonly Pick<Block, 'number' | 'hash'>[]
  /** The last block of the range. */
  readonly upTo: number
  /** Whether the headers of all blocks prove that no event is missing. */
  readonly isWhole: boolean
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
  const to = Math.min(head - reorgDepth, after + rangeSize.current())
  // A node answers for blocks that it does not have, too.
  const blocks = reorgDepth > 0 ? [await requireBlock(reader, to)] : []
  const logs = await reader.logs({ from: after + 1, to }).catch((error: unknown) => {
    if (error instanceof Contradiction) throw error
    if (rangeSize.onRefusal() && isRefusal(error)) return undefined
    throw error
  })
  if (logs === undefined) return readFinal(reader, rangeSize, range)
  rangeSize.onAnswer(logs.length)
  return {
    logs: await withTimes(reader, decodeLogs(logs)),
    blocks,
    upTo: to,
    isWhole: reorgDepth === 0,
  }
}

/** Returns whether the node refused the request; a node that is down would refuse a shorter range too. */
function isRefusal(error: unknown): boolean {
  return typeof (error as { readonly code?: unknown }).code === 'number'
}

/** The number of blocks per batch near the head. */
export const newestBlocks = 16

async function readNewest(
  reader: ChainReader,
  { after, afterHash, head }: BatchRange,
): Promise<Batch> {
  const upTo = Math.min(head, after + newestBlocks)
  const blocks = await readBlocks(reader, { from: after + 1, to: upTo })
  requireLine(blocks, afterHash)
  // Requested by hash, so that events and blocks belong to one chain even after a reorganisation.
  const proven = await mapConcurrently(blocks, async (block) => {
    const { logs, isWhole } = await proveEvents(reader, block, await reader.logs(block))
    return { logs: withTimeOf(block, logs), isWhole }
  })
  return {
    logs: proven.flatMap(({ logs }) => logs),
    blocks,
    upTo,
    isWhole: proven.every(({ isWhole }) => isWhole),
  }
}

/** Reads the headers of a range, the last one first: a node without it is asked for no other. */
export async function readBlocks(
  reader: ChainReader,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly Block[]> {
  const last = await requireBlock(reader, to)
  const numbers = Array.from({ length: to - from }, (_, index) => from + index)
  return [...(await mapConcurrently(numbers, (number) => requireBlock(reader, number))), last]
}

/** Requires that each block names the one before it. @throws `Contradiction` */
export function requireLine(blocks: readonly Block[], before: string | undefined): void {
  let last = before
  for (const { number, hash, parentHash } of blocks) {
    if (last !== undefined && parentHash !== last) {
      throw contradictionAt(number, `Block ${number} has another parent than block ${number - 1}.`)
    }
    last = hash
  }
}

/** The number of blocks per request for events, adapted to the limits of the node. */
export type RangeSize = {
  readonly current: () => number
  /** Adapts to an answered range, which held so many events. */
  readonly onAnswer: (events: number) => void
  /** Adapts to a refused range; returns whether a smaller one can be requested. */
  readonly onRefusal: () => boolean
}

const initial = 1024

const longest = 2 ** 24

/** The most events that one transaction should write. */
const maxEvents = 5000

/** Returns a size that doubles until a range is too long, then halves, and grows slowly again. */
export function rangeSize(): RangeSize {
  let size = initial
  let isLimited = false
  return {
    current: () => size,
    onAnswer: (events) => {
      if (events > maxEvents) size = Math.max(1, size >> 1)
      else size = Math.min(longest, isLimited ? size + Math.ceil(size / 8) : size * 2)
    },
    onRefusal: () => {
      const isSmallest = size === 1
      isLimited = true
      size = Math.max(1, size >> 1)
      return !isSmallest
    },
  }
}
