import type { Hex } from 'viem'
import type { CatalogueStore } from '../catalogue-store.ts'
import type { CatalogueState } from '../projection/advance.ts'
import { hexOf } from '../table.ts'
import type { ChainReader } from './chain-reader.ts'
import { Contradiction, contradictionAt } from './contradiction.ts'

/** The block of an event. */
type EventBlock = { readonly block: number; readonly blockHash: string }

type Context = {
  readonly store: CatalogueStore
  readonly reader: Pick<ChainReader, 'block'>
  readonly genesis: string
  readonly isTrusted: boolean
  readonly reorgDepth: number
}

type Position = {
  readonly from: CatalogueState
  readonly head: number
  /** The contradictions in a row before. */
  readonly contradictions: number
}

/** The contradictions in a row after which more is undone than a reorganisation can undo. */
const deepAfter = 4

/**
 * Returns the last block that the catalogue and the chain have in common.
 *
 * @throws `Contradiction`
 */
export async function lastCommonBlock(context: Context, position: Position): Promise<number> {
  if (context.isTrusted) return lastCommonEvent(context, position)
  const { from, head, contradictions } = position
  if (from.block > head + context.reorgDepth) return returnToHead(context, position)
  const { db } = context.store
  const known = await db.selectFrom('block').selectAll().orderBy('number').execute()
  // A node that lags behind has not undone the blocks above its head.
  const comparable = known.filter(({ number }) => number <= head)
  const newest = comparable.pop()
  if (newest === undefined || (await isCommon(context, newest))) return from.block
  // One answer undoes nothing.
  if (contradictions === 0) throw otherBlock(newest.number)
  const common = await lastCommon(context, comparable)
  if (common !== undefined) return common.number
  if (contradictions < deepAfter) throw otherBlock(newest.number)
  await requireGenesis(context)
  return newestCommonEvent(context, from.block)
}

type KnownBlock = { readonly number: number; readonly hash: string }

const isCommon = async ({ reader }: Context, { number, hash }: KnownBlock): Promise<boolean> =>
  (await reader.block(number))?.hash === hash

const otherBlock = (number: number): Contradiction =>
  contradictionAt(number, `The node shows another block ${number} than before.`)

/**
 * Returns the last of some blocks that a chain has. The hash of a block commits to all before it, so
 * they are halved.
 */
async function lastCommon(
  context: Context,
  blocks: readonly KnownBlock[],
): Promise<KnownBlock | undefined> {
  let [common, last] = [-1, blocks.length - 1]
  while (last > common) {
    const middle = Math.ceil((common + 1 + last) / 2)
    const block = blocks[middle]
    if (block !== undefined && (await isCommon(context, block))) common = middle
    else last = middle - 1
  }
  return blocks[common]
}

/**
 * Returns the head for a catalogue that is far above it without an event there: its position was
 * wrong. With events there, the node lags far behind or is wrong itself.
 */
async function returnToHead(
  { store }: Context,
  { from, head, contradictions }: Position,
): Promise<number> {
  const above = await eventIn(store.db, { first: head + 1, last: from.block })
  if (above === undefined && contradictions > 0) return head
  if (above === undefined) throw otherBlock(from.block)
  const reason = `The node shows block ${head} as its newest, and the catalogue has events up to block ${above.block}.`
  throw new Contradiction({ from: head + 1, to: from.block, reason })
}

/** Requires that a chain without any block of the catalogue is the same chain at all. */
async function requireGenesis({ reader, genesis }: Context): Promise<void> {
  if ((await reader.block(0))?.hash.toLowerCase() === genesis.toLowerCase()) return
  throw contradictionAt(0, 'The node shows another chain.')
}

/**
 * Returns the last block that the catalogue and a chain without reorganisations have in common. The
 * hash of a block commits to all before it, so that of the newest event is enough.
 */
async function lastCommonEvent(
  { store, reader }: Context,
  { from, head }: Pick<Position, 'from' | 'head'>,
): Promise<number> {
  const newest = await eventIn(store.db, { first: 0, last: from.block })
  // A chain that is shorter than its catalogue will mine these blocks again, with other content.
  if (newest === undefined) return Math.min(from.block, head)
  if (newest.block > head) return -1
  const isSame = (await reader.block(newest.block))?.hash === newest.blockHash
  return isSame ? Math.min(from.block, head) : -1
}

/** Returns the block of the newest event in a range of blocks. */
export async function eventIn(
  db: CatalogueStore['db'],
  { first, last }: { readonly first: number; readonly last: number },
): Promise<EventBlock | undefined> {
  const row = await db
    .selectFrom('mined')
    .select(['block', 'blockHash'])
    .where('block', '>=', first)
    .where('block', '<=', last)
    .orderBy('block', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { block: row.block, blockHash: hexOf(row.blockHash) }
}

/**
 * Returns the block of the newest event that a chain still holds, up to a block; -1 if it holds none.
 * The hash of a block commits to all before it, so the events are halved with one block for each step.
 */
async function newestCommonEvent({ store, reader }: Context, upTo: number): Promise<number> {
  let common = -1
  let last = upTo
  while (last > common) {
    const middle = Math.ceil((common + 1 + last) / 2)
    const older = await eventIn(store.db, { first: common + 1, last: middle })
    const event = older ?? (await eventIn(store.db, { first: middle + 1, last }))
    if (event === undefined) return common
    if ((await reader.block(event.block))?.hash === event.blockHash) common = event.block
    else last = event.block - 1
  }
  return common
}

/** The blocks before the contracts that are read all the same: a reorganisation may deploy them sooner. */
const margin = 64

/**
 * Returns the first block that can hold an event of a contract: about that of its deployment, found by
 * halving the chain. Returns 0 if the node does not keep the state of old blocks.
 */
export async function findFirstBlock(reader: ChainReader, contract: Hex): Promise<number> {
  try {
    let [first, last] = [0, await reader.head()]
    if (!(await reader.hasCode(contract, last))) return 0
    while (first < last) {
      const middle = Math.floor((first + last) / 2)
      if (await reader.hasCode(contract, middle)) last = middle
      else first = middle + 1
    }
    // One wrong answer would hide all events before it.
    if (first > 0 && (await reader.elsewhere.hasCode(contract, first - 1))) return 0
    return Math.max(0, first - margin)
  } catch {
    return 0
  }
}
