import {
  askAll,
  type Block,
  blockAt,
  type ChainReader,
  Moved,
  type TimedLog,
  timed,
} from './chain-reader.ts'
import type { Ranges } from './range-size.ts'

/** What was read of the chain after a block, and is written together. */
export type Batch = {
  readonly logs: readonly TimedLog[]
  /** The blocks that a reorganisation could take back. */
  readonly blocks: readonly Pick<Block, 'number' | 'hash'>[]
  /** The last block that was read. */
  readonly upTo: number
}

export type Span = {
  /** The last block that was read before, and its hash when it could be taken back. */
  readonly after: number
  readonly afterHash: string | undefined
  readonly head: number
  /** How many of the newest blocks could be taken back. */
  readonly reorgDepth: number
}

/** Reads on: long ranges where the chain is settled, block by block near its head. */
export function readBatch(reader: ChainReader, ranges: Ranges, span: Span): Promise<Batch> {
  return span.after < span.head - span.reorgDepth
    ? readSettled(reader, ranges, span)
    : readNewest(reader, span)
}

async function readSettled(reader: ChainReader, ranges: Ranges, span: Span): Promise<Batch> {
  const { after, head, reorgDepth } = span
  const settled = head - reorgDepth
  const to = Math.min(settled, after + ranges.size())
  const logs = await reader.logs({ from: after + 1, to }).catch((error: unknown) => {
    if (ranges.refused() && isRefusal(error)) return undefined
    throw error
  })
  if (logs === undefined) return readSettled(reader, ranges, span)
  ranges.answered(logs.length)
  const blocks = to === settled && reorgDepth > 0 ? [await blockAt(reader, to)] : []
  return { logs: await timed(reader, logs), blocks, upTo: to }
}

/** Tells whether a node refused a call; one that is gone would refuse a shorter range as well. */
function isRefusal(error: unknown): boolean {
  return typeof (error as { readonly code?: unknown }).code === 'number'
}

/** How many blocks are read together near the head. */
const together = 16

async function readNewest(reader: ChainReader, { after, afterHash, head }: Span): Promise<Batch> {
  const count = Math.min(together, head - after)
  const numbers = Array.from({ length: count }, (_, index) => after + 1 + index)
  const blocks = await askAll(numbers, (number) => blockAt(reader, number))
  let last = afterHash
  for (const { hash, parentHash } of blocks) {
    if (last !== undefined && parentHash !== last) throw new Moved('The chain was reorganised.')
    last = hash
  }
  // By their hashes, so that blocks and events are of one chain whatever happens in between.
  const logs = await askAll(blocks, async ({ hash, at }) =>
    (await reader.logs({ blockHash: hash })).map((log) => ({ ...log, at })),
  )
  return { logs: logs.flat(), blocks, upTo: after + count }
}
