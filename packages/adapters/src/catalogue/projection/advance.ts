import type { Kysely, Transaction } from 'kysely'
import { type CatalogueStore, insertRows } from '../catalogue-store.ts'
import type { Batch } from '../indexer/batch.ts'
import type { TimedLog } from '../indexer/chain-reader.ts'
import type { Doubt } from '../indexer/contradiction.ts'
import { type Database, type TokenRow, tables } from '../schema.ts'
import { bytesOf, hexOf, updateOnConflict } from '../table.ts'
import { numberIn } from './decode-log.ts'
import {
  addEarnings,
  type Earning,
  type EarningsTotals,
  readTotals,
  totalsKey,
} from './earnings.ts'
import { applyEvent, countOne, newProjection, type Projection } from './projection.ts'
import { rollBack } from './rollback.ts'

/** The state of a catalogue: how far it is indexed, and its version. */
export type CatalogueState = Database['meta']

/** Thrown out of a commit when another process has written in between. */
export class ConcurrentWrite extends Error {
  override readonly name = 'ConcurrentWrite'
}

/** Reads the state of a catalogue. */
export const readCatalogueState = (db: Kysely<Database>): Promise<CatalogueState> =>
  db.selectFrom('meta').selectAll().executeTakeFirstOrThrow()

export declare namespace advance {
  type Input = {
    readonly batch: Batch
    /** The state of the catalogue before the batch was read. */
    readonly from: CatalogueState
    readonly head: number
    /** The last block that stays as it is. */
    readonly common: number
    /** The last block that no reorganisation can undo. */
    readonly lastFinal: number
  }
}

/** Writes a batch and the new state of the catalogue in one transaction. */
export async function advance(
  store: CatalogueStore,
  totals: EarningsTotals,
  input: advance.Input,
): Promise<void> {
  const { batch, from, head, common, lastFinal } = input
  const proven = Math.min(from.confirmed, common)
  const confirmed = batch.isWhole && proven === common ? batch.upTo : proven
  await store.db.transaction().execute(async (trx) => {
    const version = from.version + 1
    const { numUpdatedRows } = await trx
      .updateTable('meta')
      .set({ version, block: batch.upTo, head, confirmed })
      .where('version', '=', from.version)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) throw new ConcurrentWrite('Another process indexes the chain.')
    // What is undone has cards, and a new fork has the title that its parent has now.
    await store.lockCards(trx)
    if (common < from.block) {
      totals.clear()
      await rollBack(trx, common + 1)
    }
    await writeLogs({ store, trx, totals }, batch.logs)
    // No block of a chain without reorganisations is kept.
    if (batch.blocks.length === 0) return
    await insertRows(store, trx, { table: 'block', rows: batch.blocks })
    const unneeded = Math.min(lastFinal, batch.upTo)
    await trx.deleteFrom('block').where('number', '<', unneeded).execute()
  })
}

/** Records whether anything is in doubt, and the newest block of the chain, beside an unchanged position. */
export async function recordDoubt(
  { db }: CatalogueStore,
  { doubt, head }: { readonly doubt: Doubt | undefined; readonly head: number },
): Promise<void> {
  const text = doubt === undefined ? null : JSON.stringify(doubt)
  await db.updateTable('meta').set({ doubt: text, head }).execute()
}

type WriteContext = {
  readonly store: CatalogueStore
  readonly trx: Transaction<Database>
  readonly totals: EarningsTotals
}

async function writeLogs({ store, trx, totals }: WriteContext, logs: readonly TimedLog[]) {
  if (logs.length === 0) return
  const projection = newProjection(await readTokens(trx, logs))
  for (const log of logs) applyEvent(projection, log)
  for (const { tokenId } of await newRenters(trx, projection)) {
    countOne(projection, tokenId, 'rentals')
  }
  await loadTotals(trx, totals, projection.earnings)
  await writeProjection({ store, trx, totals }, projection)
}

async function writeProjection(
  { store, trx, totals }: WriteContext,
  projection: Projection,
): Promise<void> {
  const insert = (input: insertRows.Input) => insertRows(store, trx, input)
  const { mined, events, tokens, changed, rentals, heirs, cards, seals, earnings } = projection
  const changedTokens = [...changed].flatMap((id) => tokens.get(id) ?? [])
  await insert({ table: 'mined', rows: mined.map(minedRow) })
  await insert({ table: 'event', rows: events })
  await insert({ table: 'token', rows: changedTokens, onConflict: updateToken })
  await insert({ table: 'rental', rows: rentals })
  await insert({ table: 'heir', rows: heirs })
  await insert({ table: 'card', rows: cards, onConflict: 'ON CONFLICT ("tokenId") DO NOTHING' })
  await insert({ table: 'seal', rows: seals, onConflict: 'ON CONFLICT (digest) DO NOTHING' })
  await insert({ table: 'income', rows: addEarnings(totals, earnings) })
}

const minedRow = ({ block, logIndex, blockHash, txHash }: TimedLog) =>
  ({ block, logIndex, blockHash: bytesOf(blockHash), txHash: bytesOf(txHash) }) as const

const updateToken = updateOnConflict(tables.token)

/** The most values of an IN list. */
const maxInList = 1000

/** Reads the tokens that events mention. */
async function readTokens(
  trx: Kysely<Database>,
  logs: readonly TimedLog[],
): Promise<readonly TokenRow[]> {
  const ids = [...mentionedTokens(logs)]
  const rows: TokenRow[] = []
  for (let begin = 0; begin < ids.length; begin += maxInList) {
    const part = ids.slice(begin, begin + maxInList)
    rows.push(...(await trx.selectFrom('token').selectAll().where('id', 'in', part).execute()))
  }
  return rows
}

function mentionedTokens(logs: readonly TimedLog[]): ReadonlySet<number> {
  const ids = new Set<number>()
  for (const { words } of logs) {
    if (words.tokenId) ids.add(numberIn(words, 'tokenId'))
    if (words.parent) ids.add(numberIn(words, 'parent'))
  }
  return ids
}

type Rental = Pick<Database['rental'], 'tokenId' | 'renter'>

/** The most rentals that one statement looks up, each by its own term. */
const maxTerms = 100

/** Returns of rentals the first one of each account that had not rented that token before. */
async function newRenters(
  trx: Kysely<Database>,
  { rentals, tokens }: Projection,
): Promise<Iterable<Rental>> {
  const keyOf = ({ tokenId, renter }: Rental) => `${tokenId} ${hexOf(renter)}`
  const first = new Map(rentals.map((it) => [keyOf(it), it]))
  const doubtful = [...first.values()].filter(({ tokenId }) => tokens.get(tokenId)?.rentals !== 0)
  for (let begin = 0; begin < doubtful.length; begin += maxTerms) {
    const part = doubtful.slice(begin, begin + maxTerms)
    // Two lists of values would be compared in every combination.
    const known = trx
      .selectFrom('rental')
      .select(['tokenId', 'renter'])
      .where(({ and, or }) => or(part.map(({ tokenId, renter }) => and({ tokenId, renter }))))
    for (const it of await known.execute()) first.delete(keyOf(it))
  }
  return first.values()
}

/** The most accounts whose totals are cached between batches. */
const maxCachedTotals = 100_000

async function loadTotals(
  trx: Kysely<Database>,
  totals: EarningsTotals,
  earnings: readonly Earning[],
): Promise<void> {
  if (totals.size > maxCachedTotals) totals.clear()
  const unread = new Map(earnings.map((earning) => [totalsKey(earning), earning]))
  for (const [key, earning] of unread) {
    if (totals.has(key)) continue
    const row = await readTotals(trx, earning)
    if (row !== undefined) totals.set(key, row)
  }
}
