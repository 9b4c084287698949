import {
  account,
  type Catalogue,
  type Digest,
  Failure,
  isFailure,
  type TokenId,
} from '@heirloom/core'
import type { NodeResponse } from '../platform/http-transport.ts'
import type { CatalogueStore } from './catalogue-store.ts'
import { forgetCards } from './forget-cards.ts'
import { lookUpCards, type ReadCardBlock } from './indexer/card-lookup.ts'
import {
  type Chain,
  type ChainReader,
  chainReader,
  chainUnavailable,
  requireBlock,
} from './indexer/chain-reader.ts'
import { findFirstBlock } from './indexer/common-block.ts'
import type { Doubt } from './indexer/contradiction.ts'
import { standingOf } from './indexer/doubt-log.ts'
import { type CatalogueEvent, type IndexerContext, indexer } from './indexer/indexer.ts'
import { type ChangeWatch, indexerLoop } from './indexer/indexer-loop.ts'
import { type PollPace, pollPace } from './indexer/poll-pace.ts'
import { lookUpSeals, type ReadSeal } from './indexer/seal-lookup.ts'
import { type CatalogueState, readCatalogueState } from './projection/advance.ts'
import { decodeToken, rowIdOf } from './queries/decode-rows.ts'
import { readEachEarning } from './queries/each-earning.ts'
import { eventsAfter, newestEventId } from './queries/events.ts'
import { type Minted, namesCard, readEarnings, readMint, tokenReader } from './queries/reads.ts'
import { type Identity, pendingState } from './schema.ts'

export type { CatalogueEvent } from './indexer/indexer.ts'

/** A catalogue in a database, which indexes its chain until it is closed. */
export type SqlCatalogue = Catalogue & {
  /**
   * Resolves once it has indexed the present head of the chain and has tried to look up all cards and
   * seals, or once the signal is aborted.
   *
   * @throws `ledger/unavailable`
   */
  caughtUp(signal?: AbortSignal): Promise<void>
  /**
   * Returns the blocks that it has read, and those in doubt.
   *
   * @throws `catalogue/unavailable`, also while it can still be read but not written
   */
  progress(): Promise<CatalogueProgress>
  /**
   * Removes the cards and the excerpts of the tokens with some digests, whose memories were erased.
   * Returns the digests of the blocks of these cards that no other token names.
   *
   * @throws `catalogue/unavailable`
   */
  forgetCards(digests: readonly Digest[]): Promise<readonly Digest[]>
  /**
   * Returns the first token that a creator minted with a digest and a content hash. A licensed fork is
   * none: its payer chooses its creator.
   *
   * @throws `catalogue/unavailable`
   */
  mintOf(memory: Minted): Promise<TokenId | undefined>
  /**
   * Reports whether a token names a block as its card, and that is not refused or erased.
   *
   * @throws `catalogue/unavailable`
   */
  namesCard(block: Digest): Promise<boolean>
  /** Stops after the current step of the indexer. */
  close(): Promise<void>
}

/** The blocks that a catalogue has read, and those in doubt. */
export type CatalogueProgress = {
  /** The last indexed block. */
  readonly block: bigint
  /** The newest block that the chain showed. */
  readonly head: bigint
  /** The last block of which nothing is missing, as headers prove or a second reading does. */
  readonly confirmed: bigint
  /** The blocks whose events are in doubt, and the reason; absent for none. */
  readonly doubt: Doubt | undefined
}

export declare namespace sqlCatalogue {
  type Options = {
    /** The chain in this process, or the HTTP address of one of its nodes. */
    readonly chain: Chain | URL
    readonly contracts: Pick<Identity, 'registry' | 'marketplace'>
    /** The chain's id and the hash of its block 0; requested from the chain when absent. */
    readonly origin?: Origin | undefined
    /** The path of an SQLite file for this process alone, or the address of a PostgreSQL database. */
    readonly db: string | URL
    /** The number of blocks, its own included, that confirm a block before it is indexed; 1 when absent. */
    readonly confirmations?: number
    /**
     * The number of newest blocks that a reorganisation can undo; when absent, 64, or 0 for a chain
     * that is never reorganised.
     */
    readonly reorgDepth?: number
    /** The first block that can hold an event of the contracts; searched for when absent. */
    readonly firstBlock?: number
    /** Reads the block of a card; `undefined` when it cannot be found now, and is retried later. */
    readonly cards?: ReadCardBlock
    /** Reads the head of a sealed bundle; `undefined` when the bundle is not in this store. */
    readonly seals?: ReadSeal
    /** Returns whether a memory was erased; then its card is never looked up. */
    readonly isErased?: (digest: Digest) => boolean
    readonly observe?: (event: CatalogueEvent) => void
    /** Observes how each request to a node at an address ended. */
    readonly observeNode?: (response: NodeResponse) => void
  }
}

/**
 * Opens a catalogue and starts to index its chain. A database that belongs to another chain, or is
 * corrupt, is emptied and rebuilt from the chain.
 *
 * @throws `ledger/unavailable`, `catalogue/unavailable`
 */
export async function sqlCatalogue(options: sqlCatalogue.Options): Promise<SqlCatalogue> {
  const { chain, contracts, cards = findNothing, seals = findNothing } = options
  const { isErased = () => false } = options
  const reader = chainReader(chain, contracts, options.observeNode)
  const identity = { ...(options.origin ?? (await readOrigin(reader))), ...contracts }
  const store = await translateErrors('open', () => openStore(options, identity))
  const pace = pollPace(chain)
  const isFinal = !(chain instanceof URL) && chain.stateVersion !== undefined
  const reorgDepth = options.reorgDepth ?? (isFinal ? 0 : 64)
  const observe = options.observe ?? (() => undefined)
  const begin = { store, reader, marketplace: contracts.marketplace, observe }
  const context: IndexerContext = {
    store,
    reader,
    reorgDepth,
    observe,
    genesis: identity.genesis,
    isTrusted: isFinal,
    confirmations: options.confirmations ?? 1,
    firstBlock: options.firstBlock ?? (isFinal ? 0 : await searchFirstBlock(begin)),
  }
  const isShared = options.db instanceof URL
  const registry = { chainId: identity.chainId, address: account(contracts.registry) }
  const lookUp = async (now: number) =>
    (await lookUpCards(store, { readBlock: cards, isErased }, now)) +
    (await lookUpSeals(store, { readSeal: seals, registry }, now))
  const loop = indexerLoop({ context, pace, isShared, indexer: indexer(context), lookUp })
  return {
    ...catalogueReads(store, { reorgDepth, reportError: loop.reportError }),
    onChange: loop.onChange,
    caughtUp: (signal) => catchUp({ context, pace, changes: loop.watchChanges(), signal }),
    forgetCards: (digests) => translateErrors('forget cards', () => forgetCards(store, digests)),
    namesCard: (block) => translateErrors('card', () => namesCard(store.db, block)),
    mintOf: (memory) => translateErrors('mint', () => readMint(store.db, memory)),
    progress: () =>
      translateErrors('progress', async () => {
        const state = await readCatalogueState(store.db)
        const error = loop.writeError()
        if (error !== undefined) throw error
        return decodeProgress(state)
      }),
    close: async () => {
      await loop.stop()
      await store.close()
    },
  }
}

function decodeProgress(state: CatalogueState): CatalogueProgress {
  const { upTo, head, confirmed, doubt } = standingOf(state)
  const heightOf = (height: number) => BigInt(Math.max(height, 0))
  return { block: heightOf(upTo), head: heightOf(head), confirmed: heightOf(confirmed), doubt }
}

type Beginning = Pick<IndexerContext, 'store' | 'reader' | 'observe'> &
  Pick<Identity, 'marketplace'>

/** Returns the first block to read; a catalogue that has begun goes on where it is. */
async function searchFirstBlock(parts: Beginning): Promise<number> {
  const { store, reader, marketplace, observe } = parts
  const { block } = await translateErrors('open', () => readCatalogueState(store.db))
  if (block >= 0) return 0
  const firstBlock = await findFirstBlock(reader, marketplace)
  observe({ kind: 'begins', firstBlock })
  return firstBlock
}

type Origin = Pick<Identity, 'chainId' | 'genesis'>

// Asked twice, of two nodes where there are: a catalogue of another chain is emptied.
async function readOrigin(reader: ChainReader): Promise<Origin> {
  try {
    const ask = async ({ chainId, block }: ChainReader) =>
      ({ chainId: await chainId(), genesis: (await block(0))?.hash }) as const
    const [one, other] = [await ask(reader), await ask(reader.elsewhere)]
    const { chainId, genesis } = one
    if (genesis === undefined) throw new Error('The chain has no first block.')
    if (chainId === other.chainId && genesis === other.genesis) return { chainId, genesis }
    throw new Error('The node shows now one chain and now another.')
  } catch (cause) {
    throw chainUnavailable('eth_getBlockByNumber', cause)
  }
}

// Loaded on demand: a server with a file does not need PostgreSQL.
async function openStore(
  { db, chain }: sqlCatalogue.Options,
  identity: Identity,
): Promise<CatalogueStore> {
  const means = chain instanceof URL ? undefined : chain.means
  return db instanceof URL
    ? (await import('./postgres-catalogue-store.ts')).postgresCatalogueStore(db.href, identity, {
        means,
      })
    : (await import('./sqlite-catalogue-store.ts')).sqliteCatalogueStore(db, identity)
}

/** Runs work whose foreign errors become `catalogue/unavailable`. */
async function translateErrors<T>(operation: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (isFailure(cause)) throw cause
    throw new Failure('catalogue/unavailable', { operation }, { cause })
  }
}

type ReadContext = {
  readonly reorgDepth: number
  /** Receives every error of a query. */
  readonly reportError: (cause: unknown) => void
}

function catalogueReads(
  store: CatalogueStore,
  { reorgDepth, reportError }: ReadContext,
): Omit<Catalogue, 'onChange'> {
  const read = <T>(operation: string, work: () => Promise<T>): Promise<T> =>
    translateErrors(operation, () =>
      work().catch((cause: unknown) => {
        reportError(cause)
        throw cause
      }),
    )
  const readOne = tokenReader(store.db)
  return {
    listings: (query) => read('read listings', () => store.runQuery('listings', query)),
    facets: (filter, since) =>
      read('read facets', () => store.runQuery('facets', { ...filter, since })),
    tokens: (query) => read('read tokens', () => store.runQuery('tokens', query)),
    token: (id) =>
      read('read a token', async () => {
        const row = await readOne(rowIdOf(id))
        return row && decodeToken(row)
      }),
    titles: (tokenIds) => read('read titles', () => store.runQuery('titles', { tokenIds })),
    lineage: (tokenId, part) =>
      read('read a lineage', () => store.runQuery('lineage', { tokenId, ...part })),
    history: (tokenId, page) =>
      read('read a history', () => store.runQuery('history', { tokenId, ...page })),
    rentals: (tokenId, after, limit) =>
      read('read rentals', () => store.runQuery('rentals', { tokenId, after, limit })),
    earnings: (account) => read('read earnings', () => readEarnings(store.db, account)),
    eachEarning: (account, page) =>
      read('read earnings', () => readEachEarning(store.db, account, page)),
    heirOf: (heir, page) => read('read heirs', () => store.runQuery('heirs', { heir, ...page })),
    activity: (query) => read('read activity', () => store.runQuery('activity', query)),
    eventsAfter: (after, limit) =>
      read('read events', () =>
        store.inReadTransaction((trx) => eventsAfter(trx, reorgDepth, { after, limit })),
      ),
    newestEventId: () => read('read events', () => newestEventId(store.db)),
  }
}

type CatchUpInput = {
  readonly context: IndexerContext
  readonly pace: PollPace
  readonly changes: ChangeWatch
  readonly signal: AbortSignal | undefined
}

async function catchUp({ context, pace, changes, signal }: CatchUpInput): Promise<void> {
  try {
    let target = await unlessAborted(newestBlock(context), signal)
    while (target !== undefined && !signal?.aborted) {
      const needed = target
      const state = await translateErrors('catch up', () => stateOf(context, needed))
      if (state === 'indexed') return
      // It was replaced, or never was: the wait is for a block that the chain has.
      if (state === 'replaced') target = await unlessAborted(newestBlock(context), signal)
      pace.wake()
      await changes.next()
    }
  } finally {
    changes.end()
  }
}

/** Returns a result, or `undefined` once the signal is aborted: a node may be silent for long. */
async function unlessAborted<T>(
  result: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  if (signal === undefined) return result
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const give = () => resolve(undefined)
  signal.addEventListener('abort', give)
  if (signal.aborted) give()
  try {
    return await Promise.race([result, promise])
  } finally {
    signal.removeEventListener('abort', give)
    result.catch(() => undefined)
  }
}

type Target = { readonly number: number; readonly hash: string }

/** Returns the newest confirmed block of the chain. @throws `ledger/unavailable` */
async function newestBlock({ reader, confirmations }: IndexerContext): Promise<Target> {
  try {
    return await requireBlock(reader, (await reader.head()) - (confirmations - 1))
  } catch (cause) {
    throw chainUnavailable('eth_getBlockByNumber', cause)
  }
}

/** Returns whether a block is indexed, with its cards and seals, or another one is in its place. */
async function stateOf(
  { store: { db }, firstBlock }: IndexerContext,
  { number, hash }: Target,
): Promise<'missing' | 'replaced' | 'indexed'> {
  const { block } = await readCatalogueState(db)
  if (block < number && number >= firstBlock) return 'missing'
  const known = await db
    .selectFrom('block')
    .select('hash')
    .where('number', '=', number)
    .executeTakeFirst()
  if (known !== undefined && known.hash !== hash) return 'replaced'
  const isTried = !(await hasUntried(db, 'card')) && !(await hasUntried(db, 'seal'))
  return isTried ? 'indexed' : 'missing'
}

/** Returns whether there are cards or seals that were never looked up. */
async function hasUntried(db: CatalogueStore['db'], table: 'card' | 'seal'): Promise<boolean> {
  const untried = await db
    .selectFrom(table)
    .select('digest')
    .where('state', '=', pendingState)
    // The next lookup of any other is later; by it, the index finds one at once.
    .where('lookAt', '=', 0)
    .limit(1)
    .executeTakeFirst()
  return untried !== undefined
}

const findNothing = async () => undefined
