import type { Kysely, Transaction } from 'kysely'
import type { Batch } from '../indexer/batch.ts'
import { type Book, enter, openBook } from './projection.ts'
import type { TimedLog } from '../indexer/chain-reader.ts'
import { added, type Income, type Totals } from './earnings.ts'
import { rollBack } from './rollback.ts'
import type { Database, TokenRow } from '../schema.ts'
import { insert, type Store } from '../catalogue-store.ts'

/** Where a catalogue stands. */
export type Standing = Database['meta']

/** Thrown out of a commit when another process has written meanwhile. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

/** Returns where a catalogue stands. */
export const standing = (db: Kysely<Database>): Promise<Standing> =>
  db.selectFrom('meta').selectAll().executeTakeFirstOrThrow()

export type Advance = {
  readonly batch: Batch
  /** What was read when the batch was asked for. */
  readonly from: Standing
  readonly head: number
  /** The first block that was taken back, if any. */
  readonly undo: number | undefined
  /** Up to which block none can be taken back. */
  readonly settled: number
}

/** Writes a batch and where the catalogue then stands, in one transaction. */
export async function advance(store: Store, totals: Totals, step: Advance): Promise<void> {
  const { batch, from, head, undo, settled } = step
  await store.db.transaction().execute(async (trx) => {
    const version = from.version + 1
    const { numUpdatedRows } = await trx
      .updateTable('meta')
      .set({ version, block: batch.upTo, head })
      .where('version', '=', from.version)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) throw new Overtaken('Another process follows the chain.')
    if (undo !== undefined) {
      totals.clear()
      await rollBack(trx, undo)
    }
    await writeLogs({ store, trx, totals }, batch.logs)
    await insert(store, trx, { table: 'block', rows: batch.blocks })
    await trx.deleteFrom('block').where('number', '<', settled).execute()
  })
}

type Writing = {
  readonly store: Store
  readonly trx: Transaction<Database>
  readonly totals: Totals
}

async function writeLogs({ store, trx, totals }: Writing, logs: readonly TimedLog[]) {
  if (logs.length === 0) return
  const book = openBook(await tokensOf(trx, logs))
  for (const log of logs) enter(book, log)
  await loadTotals(trx, totals, book.incomes)
  await writeBook({ store, trx, totals }, book)
}

async function writeBook({ store, trx, totals }: Writing, book: Book): Promise<void> {
  const put = (input: insert.Input) => insert(store, trx, input)
  const touched = [...book.touched].flatMap((id) => book.tokens.get(id) ?? [])
  await put({ table: 'event', rows: book.events })
  await put({ table: 'token', rows: touched, more: replaced })
  await put({ table: 'rental', rows: book.rentals })
  await put({ table: 'card', rows: book.cards, more: 'ON CONFLICT ("tokenId") DO NOTHING' })
  await put({ table: 'seal', rows: book.seals, more: 'ON CONFLICT (digest) DO NOTHING' })
  await put({ table: 'income', rows: added(totals, book.incomes) })
}

const changing = [
  ...(['owner', 'price', 'rentalPricePerDay', 'forkPrice', 'forkRoyaltyBps'] as const),
  'listedAt' as const,
]
const replaced = `ON CONFLICT (id) DO UPDATE SET ${changing
  .map((name) => `"${name}" = excluded."${name}"`)
  .join(', ')}`

/** Most that an IN may list. */
const inOne = 1000

/** Reads the tokens that events speak of. */
async function tokensOf(
  trx: Kysely<Database>,
  logs: readonly TimedLog[],
): Promise<readonly TokenRow[]> {
  const ids = [...new Set(logs.flatMap(mentionedBy))]
  const rows: TokenRow[] = []
  for (let begin = 0; begin < ids.length; begin += inOne) {
    const part = ids.slice(begin, begin + inOne)
    rows.push(...(await trx.selectFrom('token').selectAll().where('id', 'in', part).execute()))
  }
  return rows
}

function mentionedBy({ words }: TimedLog): readonly number[] {
  return [words.tokenId, words.parent].flatMap((word) => (word ? [Number(`0x${word}`)] : []))
}

/** More accounts than this are not remembered between batches. */
const mostTotals = 100_000

async function loadTotals(
  trx: Kysely<Database>,
  totals: Totals,
  incomes: readonly Income[],
): Promise<void> {
  if (totals.size > mostTotals) totals.clear()
  const accounts = new Set(incomes.map(({ account }) => account))
  for (const account of accounts) {
    if (totals.has(account)) continue
    const row = await latestIncome(trx, account)
    if (row !== undefined) totals.set(account, row)
  }
}

/** Returns what an account had earned when it last earned something. */
export function latestIncome(db: Kysely<Database>, account: string) {
  return db
    .selectFrom('income')
    .selectAll()
    .where('account', '=', account)
    .orderBy('block', 'desc')
    .orderBy('logIndex', 'desc')
    .limit(1)
    .executeTakeFirst()
}
