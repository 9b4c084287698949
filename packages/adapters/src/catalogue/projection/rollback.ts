import { sql, type Transaction } from 'kysely'
import { listedBy, unlisted } from './projection.ts'
import type { Database, TokenRow } from '../schema.ts'

type Trx = Transaction<Database>

/** Takes back all that happened from a block on. */
export async function rollBack(trx: Trx, from: number): Promise<void> {
  await remember(trx, from)
  const changed = await trx
    .selectFrom('event')
    .innerJoin('token', 'token.id', 'event.tokenId')
    .select('token.id')
    .distinct()
    .where('event.block', '>=', from)
    .where('event.kind', 'in', ['transfer', 'listing'])
    .where('token.block', '<', from)
    .execute()
  await forgetCards(trx, from)
  for (const table of ['event', 'rental', 'income', 'token'] as const) {
    await trx.deleteFrom(table).where('block', '>=', from).execute()
  }
  await trx.deleteFrom('block').where('number', '>=', from).execute()
  for (const { id } of changed) await restate(trx, id)
}

/** Keeps which blocks are gone, so that whoever was told of them can be told from where on. */
async function remember(trx: Trx, from: number): Promise<void> {
  const { reorganisations: id } = await trx
    .updateTable('meta')
    .set((it) => ({ reorganisations: it('reorganisations', '+', 1) }))
    .returning('reorganisations')
    .executeTakeFirstOrThrow()
  await trx.insertInto('reorganisation').values({ id, fromBlock: from }).execute()
  await sql`
    INSERT INTO undone (number, hash8, reorganisation)
    SELECT DISTINCT block, substr("blockHash", 3, 8), CAST(${id} AS bigint)
    FROM event WHERE block >= ${from}
    ON CONFLICT (number, hash8) DO NOTHING
  `.execute(trx)
}

async function forgetCards(trx: Trx, from: number): Promise<void> {
  const gone = trx.selectFrom('card').select('tokenId').where('block', '>=', from)
  await trx.deleteFrom('search').where('rowid', 'in', gone).execute()
  await trx.deleteFrom('tag').where('tokenId', 'in', gone).execute()
  await trx.deleteFrom('card').where('block', '>=', from).execute()
}

/** Gives a token the owner and the terms that the events which are left have given it. */
async function restate(trx: Trx, tokenId: number): Promise<void> {
  const events = await trx
    .selectFrom('event')
    .select(['kind', 'said', 'at'])
    .where('tokenId', '=', tokenId)
    .where('kind', 'in', ['transfer', 'listing'])
    .orderBy('block')
    .orderBy('logIndex')
    .execute()
  let state: Partial<TokenRow> = {}
  for (const { kind, said, at } of events) {
    const told = JSON.parse(said)
    const change = kind === 'transfer' ? { owner: told.to, ...unlisted } : listedBy(told, at)
    state = { ...state, ...change }
  }
  await trx.updateTable('token').set(state).where('id', '=', tokenId).execute()
}
