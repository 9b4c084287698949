import { type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import { removeWords } from '../card-words.ts'
import type { Database, TokenChange } from '../schema.ts'
import { bytesOf } from '../table.ts'
import { isListing, listingColumns, listingKinds, unlisted } from './projection.ts'
import { decodeColumns } from './stored-event.ts'

type Trx = Transaction<Database>

/** The tokens of the events that are undone. */
type Named = SelectQueryBuilder<Database, 'event', { tokenId: number }>

/** Undoes all events from a block on, in a transaction that may change cards. */
export async function rollBack(trx: Trx, from: number): Promise<void> {
  await recordReorganisation(trx, from)
  const changed = await trx
    .selectFrom('event')
    .innerJoin('token', 'token.id', 'event.tokenId')
    .select('token.id')
    .distinct()
    .where('event.block', '>=', from)
    .where('event.kind', 'in', ['transfer', ...listingKinds])
    .where('token.block', '<', from)
    .execute()
  // Found by their events, so that no table of them needs an index of blocks.
  const named = trx.selectFrom('event').select('tokenId').where('block', '>=', from)
  const counted = await countedTokens(trx, from, named)
  await deleteCards(trx, from, named)
  const rentals = trx.deleteFrom('rental').where('tokenId', 'in', named)
  await rentals.where('block', '>=', from).execute()
  await trx.deleteFrom('token').where('id', 'in', named).where('block', '>=', from).execute()
  for (const table of ['mined', 'event', 'heir', 'income'] as const) {
    await trx.deleteFrom(table).where('block', '>=', from).execute()
  }
  await trx.deleteFrom('block').where('number', '>=', from).execute()
  for (const { id } of changed) await replayToken(trx, id)
  for (const id of counted) await countAgain(trx, id)
}

/** Returns the tokens that were rented or forked from a block on. */
async function countedTokens(trx: Trx, from: number, named: Named): Promise<ReadonlySet<number>> {
  const rented = await trx
    .selectFrom('rental')
    .select('tokenId')
    .where('tokenId', 'in', named)
    .where('block', '>=', from)
    .execute()
  const forked = await trx
    .selectFrom('token')
    .select('parent')
    .where('id', 'in', named)
    .where('block', '>=', from)
    .where('royaltyBps', 'is not', null)
    .execute()
  return new Set([
    ...rented.map((it) => it.tokenId),
    ...forked.flatMap(({ parent }) => parent ?? []),
  ])
}

/** Counts the renters and the licensed forks of a token again. */
async function countAgain(trx: Trx, id: number): Promise<void> {
  await trx
    .updateTable('token')
    .set((it) => ({
      rentals: it
        .selectFrom('rental')
        .select((on) => on.fn.count<number>('renter').distinct().as('count'))
        .where('tokenId', '=', id),
      forks: it
        .selectFrom('token as fork')
        .select((on) => on.fn.countAll<number>().as('count'))
        .where('fork.parent', '=', id)
        .where('fork.royaltyBps', 'is not', null),
    }))
    .where('id', '=', id)
    .execute()
}

/** Records the undone blocks, so that a reader of their events learns where to resume. */
async function recordReorganisation(trx: Trx, from: number): Promise<void> {
  const { reorganisations: id } = await trx
    .updateTable('meta')
    .set((it) => ({ reorganisations: it('reorganisations', '+', 1) }))
    .returning('reorganisations')
    .executeTakeFirstOrThrow()
  await trx.insertInto('reorganisation').values({ id, fromBlock: from }).execute()
  await sql`
    INSERT INTO undone (number, hash8, reorganisation)
    SELECT DISTINCT block, substr("blockHash", 1, 4), CAST(${id} AS bigint)
    FROM mined WHERE block >= ${from}
    ON CONFLICT (number, hash8) DO NOTHING
  `.execute(trx)
}

async function deleteCards(trx: Trx, from: number, named: Named): Promise<void> {
  const cards = trx.selectFrom('card').where('tokenId', 'in', named)
  const undone = cards.select('tokenId').where('block', '>=', from)
  await trx.updateTable('token').set({ title: '' }).where('source', 'in', undone).execute()
  await removeWords(trx, undone)
  await trx.deleteFrom('search').where('rowid', 'in', undone).execute()
  await trx.deleteFrom('tag').where('tokenId', 'in', undone).execute()
  const all = trx.deleteFrom('card').where('tokenId', 'in', named)
  await all.where('block', '>=', from).execute()
}

/** Sets the owner and the terms of a token again from its remaining events. */
async function replayToken(trx: Trx, tokenId: number): Promise<void> {
  const events = await trx
    .selectFrom('event')
    .select(['kind', 'said', 'at'])
    .where('tokenId', '=', tokenId)
    .where('kind', 'in', ['transfer', ...listingKinds])
    .orderBy('block')
    .orderBy('logIndex')
    .execute()
  let state: TokenChange = {}
  for (const { at, ...columns } of events) {
    const event = decodeColumns(columns)
    if (event.kind === 'transfer') state = { ...state, owner: bytesOf(event.to), ...unlisted }
    if (isListing(event)) state = { ...state, ...listingColumns(event, at) }
  }
  await trx.updateTable('token').set(state).where('id', '=', tokenId).execute()
}
