import type { Expression, Kysely, RawBuilder, SqlBool } from 'kysely'
import type { FullText } from '../full-text.ts'
import { type Database, foundState, type MinedColumns, nobodyOfOurs } from '../schema.ts'

/** The database of a query, and what differs between SQLite and PostgreSQL. */
export type QueryContext = {
  readonly db: Kysely<Database>
  readonly fullText: FullText
  /** Runs several reads on one state of the database. */
  readonly inReadTransaction: <T>(
    db: Kysely<Database>,
    work: (trx: Kysely<Database>) => Promise<T>,
  ) => Promise<T>
  /** Returns a text that differs whenever the content of the database may differ. */
  readonly readStamp: () => Promise<string>
  /** Returns a condition that is true of every row, and aborts a query that takes too long. */
  readonly abortIfSlow: (column: Expression<number>) => RawBuilder<SqlBool>
}

/** Selects all events, without their transactions. */
const selectAll = (db: Kysely<Database>) => db.selectFrom('event').selectAll()

/** Selects events, or some of them, with their transactions. */
export function selectEvents(db: Kysely<Database>, events = selectAll(db)) {
  return db
    .selectFrom(events.as('event'))
    .leftJoin('mined', (join) =>
      join.onRef('mined.block', '=', 'event.block').onRef('mined.logIndex', '=', 'event.firstLog'),
    )
    .selectAll('event')
    .select(['mined.blockHash', 'mined.txHash'])
    .$narrowType<MinedColumns>()
}

/** Selects tokens, joined with their transactions, cards and seals. */
export function selectTokens(db: Kysely<Database>) {
  return db
    .selectFrom('token')
    .leftJoin('card', (join) =>
      join.onRef('card.tokenId', '=', 'token.source').on('card.state', '=', 'shown'),
    )
    .leftJoin('seal', 'seal.digest', 'token.digest')
    .leftJoin('mined', (join) =>
      join.onRef('mined.block', '=', 'token.block').onRef('mined.logIndex', '=', 'token.firstLog'),
    )
    .selectAll('token')
    .select(['mined.blockHash', 'mined.txHash'])
    .$narrowType<MinedColumns>()
    .select('card.card')
    .select(['seal.state as sealState', 'seal.looks as sealLooks'])
    .select(['seal.sealedFor', 'seal.sealedContent', 'seal.itemsRoot', 'seal.excerpts'])
    .select((it) =>
      it
        .exists(
          it
            .selectFrom('token as elder')
            .select('elder.id')
            .whereRef('elder.digest', '=', 'token.digest')
            .whereRef('elder.creator', '=', 'token.maker')
            .where('elder.royaltyBps', 'is', null)
            .whereRef('elder.id', '<', 'token.source')
            .whereRef('elder.contentHash', '=', 'token.contentHash'),
        )
        .as('isRepeated'),
    )
    .select((it) =>
      it
        .exists(
          it
            .selectFrom('seal as other')
            .select('other.digest')
            .whereRef('other.sealedContent', '=', 'token.contentHash')
            .where('other.state', '=', foundState)
            .where('other.sealedFor', '<>', nobodyOfOurs)
            .whereRef('other.sealedFor', '<>', 'token.maker'),
        )
        .as('isOfAnother'),
    )
}

export type TokenSelect = ReturnType<typeof selectTokens>
