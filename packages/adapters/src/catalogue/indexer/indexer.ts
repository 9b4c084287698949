import type { CatalogueStore } from '../catalogue-store.ts'
import {
  advance,
  type CatalogueState,
  ConcurrentWrite,
  readCatalogueState,
} from '../projection/advance.ts'
import type { EarningsTotals } from '../projection/earnings.ts'
import { readBatch } from './batch.ts'
import { type ChainReader, ChainReorganised } from './chain-reader.ts'
import { eventIn, newestCommonEvent } from './common-event.ts'
import { type RangeSize, rangeSize } from './range-size.ts'

/** An observable event of the indexer. */
export type CatalogueEvent =
  | { readonly kind: 'begins'; readonly firstBlock: number }
  | { readonly kind: 'read'; readonly upTo: number; readonly head: number; readonly events: number }
  | { readonly kind: 'reorganised'; readonly from: number }
  | { readonly kind: 'rebuilt'; readonly cause: unknown }
  | { readonly kind: 'failed'; readonly cause: unknown }

export type IndexerContext = {
  readonly store: CatalogueStore
  readonly reader: ChainReader
  /** The number of blocks, its own included, that confirm a block before it is indexed. */
  readonly confirmations: number
  /** The number of newest blocks that a reorganisation can undo. */
  readonly reorgDepth: number
  /** The first block that can hold an event. */
  readonly firstBlock: number
  readonly observe: (event: CatalogueEvent) => void
}

/** Brings a catalogue closer to the head of its chain. */
export type Indexer = {
  /** Indexes the next batch; returns whether there is more to index. */
  readonly step: () => Promise<boolean>
}

/** Returns an indexer that reads a chain into a store. */
export function indexer(context: IndexerContext): Indexer {
  const size = rangeSize()
  const cache: IndexerCache = { totals: new Map(), version: undefined, isCompared: false }
  return {
    step: async () => {
      try {
        return await indexNext(context, size, cache)
      } catch (error) {
        cache.totals.clear()
        if (error instanceof ChainReorganised || error instanceof ConcurrentWrite) return true
        throw error
      }
    },
  }
}

type IndexerCache = {
  /** The earnings totals, and the version of the store that they belong to. */
  readonly totals: EarningsTotals
  version: number | undefined
  /** Whether the store was compared with a chain that never reorganises. */
  isCompared: boolean
}

async function indexNext(
  context: IndexerContext,
  size: RangeSize,
  cache: IndexerCache,
): Promise<boolean> {
  const { store, reader, confirmations, reorgDepth, firstBlock, observe } = context
  const from = await readCatalogueState(store.db)
  // Another process has written to the store, or the store was rebuilt.
  if (from.version !== cache.version) cache.totals.clear()
  const head = (await reader.head()) - (confirmations - 1)
  const common = await lastCommonBlock(context, { from, head, cache })
  const undoFrom = common < from.block ? common + 1 : undefined
  const after = Math.max(common, firstBlock - 1)
  if (after >= head && undoFrom === undefined) return false
  const afterHash = await blockHash(store, common)
  const range = { after, afterHash: after === common ? afterHash : undefined, head, reorgDepth }
  const batch =
    after < head ? await readBatch(reader, size, range) : { logs: [], blocks: [], upTo: after }
  await advance(store, cache.totals, { batch, from, head, undoFrom, lastFinal: head - reorgDepth })
  cache.version = from.version + 1
  if (undoFrom !== undefined) observe({ kind: 'reorganised', from: undoFrom })
  observe({ kind: 'read', upTo: batch.upTo, head, events: batch.logs.length })
  return batch.upTo < head
}

async function blockHash({ db }: CatalogueStore, number: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('block')
    .select('hash')
    .where('number', '=', number)
    .executeTakeFirst()
  return row?.hash ?? (await eventIn(db, { first: number, last: number }))?.blockHash
}

type Comparison = {
  readonly from: CatalogueState
  readonly head: number
  readonly cache: IndexerCache
}

/** Returns the last block that the catalogue and the chain have in common. */
async function lastCommonBlock(
  context: IndexerContext,
  { from, head, cache }: Comparison,
): Promise<number> {
  const { store, reader, reorgDepth } = context
  if (reorgDepth === 0) return lastCommonEvent(context, { from, head, cache })
  const known = await store.db.selectFrom('block').selectAll().orderBy('number', 'desc').execute()
  // A node that lags behind has not undone the blocks above its head.
  const comparable = known.filter(({ number }) => number <= head)
  for (const [index, { number, hash }] of comparable.entries()) {
    if ((await reader.block(number))?.hash !== hash) continue
    return index === 0 ? from.block : number
  }
  return comparable.length === 0 ? from.block : newestCommonEvent(context, from.block)
}

/**
 * Returns the last block that the catalogue and a chain without reorganisations have in common. The
 * hash of a block commits to all before it, so that of the newest event is enough.
 */
async function lastCommonEvent(
  { store, reader }: IndexerContext,
  { from, head, cache }: Comparison,
): Promise<number> {
  // Such a chain changes only between two starts, when one of the two files is restored.
  if (cache.isCompared) return from.block
  const newest = await store.db
    .selectFrom('event')
    .select(['block', 'blockHash'])
    .orderBy('block', 'desc')
    .limit(1)
    .executeTakeFirst()
  cache.isCompared = true
  // A chain that is shorter than its catalogue will mine these blocks again, with other content.
  if (newest === undefined) return Math.min(from.block, head)
  if (newest.block > head) return -1
  const isSame = (await reader.block(newest.block))?.hash === newest.blockHash
  return isSame ? Math.min(from.block, head) : -1
}
