import type { Hex, PaidAct, Score } from '@heirloom/core'
import type { Kysely } from 'kysely'
import type { VersionedTables } from '../platform/sql/migrate-tables.ts'

/** The table of ratings. */
export type RatingTables = { rating: RatingRow }

/** A rating of a token, the only one of its account. */
export type RatingRow = {
  /** The registry of the token: `<chain id>:<address>`, in lower case. */
  registry: string
  tokenId: string
  /** In lower case. */
  account: string
  score: Score
  comment: string
  /** The time of the signature, in milliseconds since 1970. */
  ratedAt: number
  message: string
  signature: Hex
  act: PaidAct
  txHash: Hex
}

async function createTables({ schema }: Kysely<RatingTables>): Promise<void> {
  await schema
    .createTable('rating')
    .addColumn('registry', 'text', (it) => it.notNull())
    .addColumn('tokenId', 'text', (it) => it.notNull())
    .addColumn('account', 'text', (it) => it.notNull())
    .addColumn('score', 'bigint', (it) => it.notNull())
    .addColumn('comment', 'text', (it) => it.notNull())
    .addColumn('ratedAt', 'bigint', (it) => it.notNull())
    .addColumn('message', 'text', (it) => it.notNull())
    .addColumn('signature', 'text', (it) => it.notNull())
    .addColumn('act', 'text', (it) => it.notNull())
    .addColumn('txHash', 'text', (it) => it.notNull())
    .addPrimaryKeyConstraint('rating_of_account', ['registry', 'tokenId', 'account'])
    .execute()
  const index = schema.createIndex('rating_order').on('rating')
  await index.columns(['registry', 'tokenId', 'ratedAt', 'account']).execute()
}

/** Lets counts be read without the rows, which have texts and signatures. */
const indexScores = ({ schema }: Kysely<RatingTables>): Promise<void> =>
  schema
    .createIndex('rating_score')
    .on('rating')
    .columns(['registry', 'tokenId', 'score'])
    .execute()

/** The SQLite statements that create the newest version of the table. */
const newestTables = `
CREATE TABLE "rating" ("registry" text not null, "tokenId" text not null, "account" text not null,
  "score" bigint not null, "comment" text not null, "ratedAt" bigint not null,
  "message" text not null, "signature" text not null, "act" text not null, "txHash" text not null,
  constraint "rating_of_account" primary key ("registry", "tokenId", "account"));
CREATE INDEX "rating_order" on "rating" ("registry", "tokenId", "ratedAt", "account");
CREATE INDEX "rating_score" on "rating" ("registry", "tokenId", "score");
`

/** The versions of the table. */
export const ratingTables: VersionedTables = {
  name: 'The ratings',
  history: 'rating_version',
  steps: [createTables, indexScores],
  newest: newestTables,
}
