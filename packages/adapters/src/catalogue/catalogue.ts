import { account, type Catalogue, Failure, isFailure } from '@heirloom/core'
import { type Cards, lookForCards } from './indexer/card-lookup.ts'
import { type Chain, type ChainReader, chainReader, unanswered } from './indexer/chain-reader.ts'
import { type CatalogueEvent, type Course, follower } from './indexer/indexer.ts'
import { happened, newest } from './queries/events.ts'
import { type Pacing, pacing } from './indexer/poll-pace.ts'
import { earnings, shownToken } from './queries/reads.ts'
import { running } from './indexer/indexer-loop.ts'
import type { Identity } from './schema.ts'
import { lookForSeals, type Seals } from './indexer/seal-lookup.ts'
import type { Store } from './catalogue-store.ts'
import { idOf, toldToken } from './queries/decode-rows.ts'
import { standing } from './projection/advance.ts'

export type { CatalogueEvent } from './indexer/indexer.ts'

/** A catalogue in a database, which follows its chain until it is closed. */
export type SqlCatalogue = Catalogue & {
  /**
   * Resolves once it tells all that the chain holds now, but for what is not here of cards and seals, or
   * once the signal says to wait no longer.
   *
   * @throws `ledger/unavailable`
   */
  caughtUp(signal?: AbortSignal): Promise<void>
  /**
   * Returns the last block that was read, and the newest there was then.
   *
   * @throws `catalogue/unavailable`, also while it tells what it has read but can write no more
   */
  progress(): Promise<{ readonly block: bigint; readonly head: bigint }>
  /** Ends the step under way. */
  close(): Promise<void>
}

export declare namespace sqlCatalogue {
  type Options = {
    /** The chain itself, or the HTTP address of one of its nodes. */
    readonly chain: Chain | URL
    readonly contracts: Pick<Identity, 'registry' | 'marketplace'>
    /** The chain's id and the hash of its block 0; the chain is asked for them when absent. */
    readonly origin?: Origin | undefined
    /** The path of an SQLite file for this process alone, or the address of a PostgreSQL database. */
    readonly db: string | URL
    /** How many blocks, its own counted, a block needs before it is read; 1 when absent. */
    readonly confirmations?: number
    /** How many of the newest blocks could be taken back; 64 when absent, none in this process. */
    readonly reorgDepth?: number
    /** The first block that can hold an event of the contracts. */
    readonly firstBlock?: number
    /** Returns the block of a card; `undefined` when it is not here, and is asked for again later. */
    readonly cards?: Cards
    /** Returns what the head of a sealed memory says; `undefined` when it is not here. */
    readonly seals?: Seals
    readonly observe?: (event: CatalogueEvent) => void
  }
}

/**
 * Opens a catalogue and begins to follow its chain. What is kept of another chain, or is broken, is
 * thrown away and made again from the chain.
 *
 * @throws `ledger/unavailable`, `catalogue/unavailable`
 */
export async function sqlCatalogue(options: sqlCatalogue.Options): Promise<SqlCatalogue> {
  const { chain, contracts, cards = nothing, seals = nothing } = options
  const reader = chainReader(chain, contracts)
  const identity = { ...(options.origin ?? (await originOf(reader))), ...contracts }
  const store = await answered('open', () => openStore(options.db, identity))
  const pace = pacing(chain)
  const isSettled = !(chain instanceof URL) && chain.stateVersion !== undefined
  const reorgDepth = options.reorgDepth ?? (isSettled ? 0 : 64)
  const course: Course = {
    ...{ store, reader, reorgDepth },
    confirmations: options.confirmations ?? 1,
    firstBlock: options.firstBlock ?? 0,
    observe: options.observe ?? (() => undefined),
  }
  const isShared = options.db instanceof URL
  const registry = { chainId: identity.chainId, address: account(contracts.registry) }
  const lookUp = async (now: number) =>
    (await lookForCards(store, cards, now)) + (await lookForSeals(store, { seals, registry }, now))
  const run = running({ course, pace, isShared, step: follower(course).step, lookUp })
  return {
    ...reads(store, { reorgDepth, doubt: run.doubt }),
    onChange: run.onChange,
    caughtUp: (signal) => caughtUp({ course, pace, changed: run.changed, signal }),
    progress: () =>
      answered('progress', async () => {
        const { block, head } = await standing(store.db)
        const trouble = run.trouble()
        if (trouble !== undefined) throw trouble
        return { block: BigInt(Math.max(block, 0)), head: BigInt(Math.max(head, 0)) }
      }),
    close: async () => {
      await run.stop()
      await store.close()
    },
  }
}

type Origin = Pick<Identity, 'chainId' | 'genesis'>

async function originOf(reader: ChainReader): Promise<Origin> {
  try {
    const [chainId, first] = await Promise.all([reader.chainId(), reader.block(0)])
    if (first === undefined) throw new Error('The chain has no first block.')
    return { chainId, genesis: first.hash }
  } catch (cause) {
    throw unanswered('eth_getBlockByNumber', cause)
  }
}

// Loaded when wanted: a server with a file needs no PostgreSQL.
async function openStore(db: string | URL, identity: Identity): Promise<Store> {
  return db instanceof URL
    ? (await import('./postgres-catalogue-store.ts')).postgresStore(db.href, identity)
    : (await import('./sqlite-catalogue-store.ts')).sqliteStore(db, identity)
}

async function answered<T>(operation: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (isFailure(cause)) throw cause
    throw new Failure('catalogue/unavailable', { operation }, { cause })
  }
}

type Reading = {
  readonly reorgDepth: number
  /** Told of every error that a question meets. */
  readonly doubt: (cause: unknown) => void
}

function reads(store: Store, { reorgDepth, doubt }: Reading): Omit<Catalogue, 'onChange'> {
  const read = <T>(operation: string, work: () => Promise<T>): Promise<T> =>
    answered(operation, () =>
      work().catch((cause: unknown) => {
        doubt(cause)
        throw cause
      }),
    )
  return {
    listings: (query) => read('read listings', () => store.ask('listings', query)),
    tokens: (query) => read('read tokens', () => store.ask('tokens', query)),
    token: (id) =>
      read('read a token', async () => {
        const row = await shownToken(store.db, idOf(id))
        return row && toldToken(row)
      }),
    lineage: (id) => read('read a lineage', () => store.ask('lineage', id)),
    history: (tokenId, page) =>
      read('read a history', () => store.ask('history', { tokenId, ...page })),
    rentals: (tokenId, after, limit) =>
      read('read rentals', () => store.ask('rentals', { tokenId, after, limit })),
    earnings: (account) => read('read earnings', () => earnings(store.db, account)),
    happened: (after, limit) =>
      read('read events', () =>
        store.reading((trx) => happened(trx, reorgDepth, { after, limit })),
      ),
    newest: () => read('read events', () => newest(store.db)),
  }
}

type Waiting = {
  readonly course: Course
  readonly pace: Pacing
  /** Resolves when something was read, or soon. */
  readonly changed: () => Promise<void>
  readonly signal: AbortSignal | undefined
}

async function caughtUp({ course, pace, changed, signal }: Waiting): Promise<void> {
  const { reader, confirmations } = course
  const newestBlock = async () => reader.block((await reader.head()) - (confirmations - 1))
  const target = await newestBlock().catch((cause: unknown) => {
    throw unanswered('eth_getBlockByNumber', cause)
  })
  const isDone = (block: Block) => answered('catch up', () => hasRead(course, block))
  while (target && !signal?.aborted && !(await isDone(target))) {
    pace.wake()
    await changed()
  }
}

type Block = { readonly number: number; readonly hash: string }

async function hasRead(
  { store: { db }, firstBlock }: Course,
  { number, hash }: Block,
): Promise<boolean> {
  const { block } = await standing(db)
  if (block < number && number >= firstBlock) return false
  const known = await db
    .selectFrom('block')
    .select('hash')
    .where('number', '=', number)
    .executeTakeFirst()
  if (known !== undefined && known.hash !== hash) return false
  return !(await isUnseen(db, 'card')) && !(await isUnseen(db, 'seal'))
}

/** Returns whether there are cards or seals that were never looked for. */
async function isUnseen(db: Store['db'], table: 'card' | 'seal'): Promise<boolean> {
  const unseen = await db
    .selectFrom(table)
    .select('digest')
    .where('state', '=', 'wanted')
    .where('looks', '=', 0)
    .limit(1)
    .executeTakeFirst()
  return unseen !== undefined
}

const nothing = async () => undefined
