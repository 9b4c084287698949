import type { CatalogueStore } from '../catalogue-store.ts'
import {
  advance,
  type CatalogueState,
  ConcurrentWrite,
  readCatalogueState,
} from '../projection/advance.ts'
import type { EarningsTotals } from '../projection/earnings.ts'
import {
  type Batch,
  type BatchRange,
  newestBlocks,
  type RangeSize,
  rangeSize,
  readBatch,
} from './batch.ts'
import { type ChainReader, requireBlock } from './chain-reader.ts'
import { eventIn, lastCommonBlock } from './common-block.ts'
import { Contradiction, contradictionAt, type Doubt } from './contradiction.ts'
import { proveMints, proveTimes } from './prove-mints.ts'
import { readAgain } from './second-reading.ts'

/** An observable event of the indexer. */
export type CatalogueEvent =
  | { readonly kind: 'begins'; readonly firstBlock: number }
  | { readonly kind: 'read'; readonly upTo: number; readonly head: number; readonly events: number }
  | { readonly kind: 'reorganised'; readonly from: number }
  | { readonly kind: 'rebuilt'; readonly cause: unknown }
  | { readonly kind: 'failed'; readonly cause: unknown }
  /** The catalogue lacks events, or may lack some, for longer than a moment. */
  | ({ readonly kind: 'doubted' } & Doubt)
  /** All of them are read. */
  | { readonly kind: 'resolved' }
  /** The blocks that are read, as each reading ends. */
  | ({ readonly kind: 'stands' } & Standing)

/** The blocks that a catalogue has read, and those in doubt. */
export type Standing = {
  /** The last indexed block. */
  readonly upTo: number
  readonly head: number
  /** The last block of which nothing is missing, as the headers prove or a second reading does. */
  readonly confirmed: number
  readonly doubt: Doubt | undefined
}

export type IndexerContext = {
  readonly store: CatalogueStore
  readonly reader: ChainReader
  /** The hash of block 0. */
  readonly genesis: string
  /** Whether the chain is in this process, so that no answer of it is wrong. */
  readonly isTrusted: boolean
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
  /** Reads some blocks a second time, if some were not; returns whether there are more. */
  readonly confirm: () => Promise<boolean>
  /** Returns the newest block that the chain showed. */
  readonly head: () => number
  /** Returns the version of the store after its last write; absent before its first. */
  readonly version: () => number | undefined
}

/** Returns an indexer that reads a chain into a store. */
export function indexer(context: IndexerContext): Indexer {
  const size = rangeSize()
  const cache: IndexerCache = {
    totals: new Map(),
    version: undefined,
    isCompared: false,
    head: -1,
    contradictions: 0,
    usesElsewhere: false,
    readFrom: undefined,
    confirmAfter: 0,
    proveUpTo: -1,
    firstBlock: context.firstBlock,
  }
  return {
    step: () => countContradictions(cache, () => indexNext(withNode(context, cache), size, cache)),
    confirm: () => countContradictions(cache, () => confirmNext(withNode(context, cache), cache)),
    head: () => cache.head,
    version: () => cache.version,
  }
}

type IndexerCache = {
  /** The earnings totals, and the version of the store that they belong to. */
  readonly totals: EarningsTotals
  version: number | undefined
  /** Whether the store was compared with a chain that never reorganises. */
  isCompared: boolean
  head: number
  /** The number of contradictions in a row. */
  contradictions: number
  /** Whether steps use another node than other callers do; changes with each contradiction. */
  usesElsewhere: boolean
  /** The first block to read again, because an event of it may be missing. */
  readFrom: number | undefined
  /** The time before which nothing is read a second time, by the clock of the process. */
  confirmAfter: number
  /** The last block that is read with its header, because a range left out an event before. */
  proveUpTo: number
  /** The first block that can hold an event, as far as is known. */
  firstBlock: number
}

/** Returns the context with the node to ask. */
function withNode(context: IndexerContext, { usesElsewhere }: IndexerCache): IndexerContext {
  return usesElsewhere ? { ...context, reader: context.reader.elsewhere } : context
}

/** Does a step, and counts the contradictions that it meets in a row. */
async function countContradictions(
  cache: IndexerCache,
  act: () => Promise<boolean>,
): Promise<boolean> {
  try {
    const hasMore = await act()
    cache.contradictions = 0
    return hasMore
  } catch (error) {
    cache.totals.clear()
    if (error instanceof ConcurrentWrite) return true
    if (error instanceof Contradiction) onContradiction(cache, error)
    throw error
  }
}

/** The contradictions in a row after which older blocks are read again, once more each time. */
const [firstReturn, laterReturns] = [2, 8]

function onContradiction(cache: IndexerCache, { since }: Contradiction): void {
  cache.contradictions += 1
  cache.usesElsewhere = !cache.usesElsewhere
  const isDue = cache.contradictions === firstReturn || cache.contradictions % laterReturns === 0
  if (isDue && since !== undefined) cache.readFrom = since
}

async function indexNext(
  context: IndexerContext,
  size: RangeSize,
  cache: IndexerCache,
): Promise<boolean> {
  const { store, reader, confirmations, reorgDepth, observe } = context
  const from = await readCatalogueState(store.db)
  // Another process has written to the store, or the store was rebuilt.
  if (from.version !== cache.version) cache.totals.clear()
  const head = (await reader.head()) - (confirmations - 1)
  // A head that no block confirms would make too many blocks final.
  if (head > from.block + newestBlocks) await requireBlock(reader, head)
  cache.head = head
  const common = await firstReadBefore(context, { from, head, cache })
  const undoFrom = common < from.block ? common + 1 : undefined
  const after = Math.max(common, cache.firstBlock - 1)
  if (after >= head && undoFrom === undefined) return false
  const reorgs = after < cache.proveUpTo ? head - after : reorgDepth
  const batch = await nextBatch(context, size, { common, after, head, reorgDepth: reorgs })
  if (!context.isTrusted) {
    await proveTimes(context, { batch, undoFrom })
    await proveMints(context, { batch, undoFrom, isRecent: batch.upTo >= head - reorgDepth })
  }
  const lastFinal = head - reorgDepth
  await advance(store, cache.totals, { batch, from, head, common, lastFinal })
  cache.version = from.version + 1
  cache.readFrom = undefined
  if (undoFrom !== undefined) observe({ kind: 'reorganised', from: undoFrom })
  observe({ kind: 'read', upTo: batch.upTo, head, events: batch.logs.length })
  return batch.upTo < head
}

type Place = Omit<BatchRange, 'afterHash'> & { readonly common: number }

async function nextBatch(
  { store, reader }: IndexerContext,
  size: RangeSize,
  { common, ...place }: Place,
): Promise<Batch> {
  const { after, head, reorgDepth } = place
  if (after >= head) return { logs: [], blocks: [], upTo: after, isWhole: true }
  const canBeUndone = after === common && after >= head - reorgDepth
  const afterHash = canBeUndone ? await blockHash(store, common) : undefined
  return readBatch(reader, size, { ...place, afterHash })
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

/** Returns the last block that need not be read again. */
async function firstReadBefore(
  context: IndexerContext,
  { from, head, cache }: Comparison,
): Promise<number> {
  const { contradictions, readFrom = Number.POSITIVE_INFINITY } = cache
  // Such a chain changes only between two starts, when one of the two files is restored.
  if (context.isTrusted && cache.isCompared) return from.block
  if (readFrom <= 0) cache.firstBlock = 0
  const common = await lastCommonBlock(context, { from, head, contradictions })
  cache.isCompared = true
  return Math.min(common, readFrom - 1)
}

/** The pause of the second reading after a node did not answer it, in milliseconds. */
const confirmPause = 10_000

async function confirmNext(context: IndexerContext, cache: IndexerCache): Promise<boolean> {
  if (context.isTrusted || performance.now() < cache.confirmAfter) return false
  const { hasMore, differsFrom } = await readAgain(context, cache.firstBlock).catch(
    (cause: unknown) => {
      const { store, observe } = context
      if (cause instanceof Contradiction || cause instanceof ConcurrentWrite) throw cause
      if (store.isStoreError(cause)) throw cause
      // It can wait, for example for a node that allows so many requests a second.
      cache.confirmAfter = performance.now() + confirmPause
      observe({ kind: 'failed', cause })
      return { hasMore: false, differsFrom: undefined }
    },
  )
  if (differsFrom === undefined) return hasMore
  cache.readFrom = differsFrom
  cache.proveUpTo = differsFrom
  throw contradictionAt(differsFrom, `A second reading shows other events in block ${differsFrom}.`)
}
