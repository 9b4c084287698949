import {
  account,
  Failure,
  type Hex,
  instant,
  type PaidAct,
  type RatedToken,
  type Rating,
  type Ratings,
  type Registry,
  type Score,
  type TokenId,
  tokenId,
} from '@heirloom/core'
import { type Kysely, sql } from 'kysely'
import { getAddress } from 'viem'
import { memoize } from '../platform/memoize.ts'
import { foreignCursor, pageOf } from '../platform/sql/list-page.ts'
import type { VersionedTables } from '../platform/sql/migrate-tables.ts'
import { registryId } from './seal-notes.ts'
import { answered as answeredBy, type Store } from './store.ts'

/** The table of ratings. */
type RatingTables = { rating: RatingRow }

/** A rating of a token, the only one of its account. */
type RatingRow = {
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

const script = `
CREATE TABLE "rating" ("registry" text not null, "tokenId" text not null, "account" text not null,
  "score" bigint not null, "comment" text not null, "ratedAt" bigint not null,
  "message" text not null, "signature" text not null, "act" text not null, "txHash" text not null,
  constraint "rating_of_account" primary key ("registry", "tokenId", "account"));
CREATE INDEX "rating_order" on "rating" ("registry", "tokenId", "ratedAt", "account");
`

/** Lets counts be read without the rows, which have texts and signatures. */
const scoreIndex = 'CREATE INDEX "rating_score" on "rating" ("registry", "tokenId", "score");'

/** The versions of the table. */
const ratingTables: VersionedTables = {
  name: 'The ratings',
  history: 'rating_version',
  steps: [[script], [scoreIndex]],
}

export declare namespace sqlRatings {
  type Parts = Pick<Store, 'db' | 'commit' | 'migrate' | 'now'>
}

type Db = Kysely<RatingTables>

const scores = [1, 2, 3, 4, 5] as const

/** Opens the ratings of a registry in a store. */
export async function sqlRatings(store: sqlRatings.Parts, place: Registry): Promise<Ratings> {
  await store.migrate(ratingTables)
  let best: Best | undefined
  const db = store.db as unknown as Db
  const registry = registryId(place)
  const all = db.selectFrom('rating').where('registry', '=', registry)
  return {
    add: (rating) =>
      answered('add', () =>
        store.commit((trx) => add(trx as unknown as Db, rowOf(registry, rating))),
      ).finally(() => {
        best = undefined
      }),
    list: async (id, { after, limit }) => {
      const end = after === undefined ? undefined : readCursor(after, id)
      const rows = await answered('list', () => {
        const of = all.selectAll().where('tokenId', '=', `${id}`)
        const ordered = of.orderBy('ratedAt', 'desc').orderBy('account')
        const rest =
          end === undefined
            ? ordered
            : ordered.where(({ eb, and, or }) =>
                or([
                  eb('ratedAt', '<', end.ratedAt),
                  and([eb('ratedAt', '=', end.ratedAt), eb('account', '>', end.account)]),
                ]),
              )
        return rest.limit(limit + 1).execute()
      })
      return pageOf(rows, { limit, decode: ratingOf, cursorOf })
    },
    counts: (ids) =>
      answered('counts', async () => {
        const names = ids.map((id) => `${id}`)
        if (names.length === 0) return []
        const rows = await all
          .where('tokenId', 'in', names)
          .select(({ fn }) => ['tokenId', 'score', fn.countAll().as('count')])
          .groupBy(['tokenId', 'score'])
          .execute()
        const counts = new Map(rows.map((it) => [`${it.tokenId} ${it.score}`, Number(it.count)]))
        return names.map(
          (name) => scores.map((score) => counts.get(`${name} ${score}`) ?? 0) as never,
        )
      }),
    best: (limit) => {
      if (best?.limit !== limit) {
        const find = () => answered('best', () => readBest(db, { registry, limit }))
        best = { limit, find: memoize(find, { resultFor: bestFor, now: store.now }) }
      }
      return best.find()
    },
  }
}

/** Finds so many of the best tokens, as they were lately. */
type Best = { readonly limit: number; readonly find: () => Promise<readonly RatedToken[]> }

/**
 * The longest time that the best tokens are remembered where another server may add ratings, in
 * milliseconds: all ratings are read for them.
 */
const bestFor = 5000

type BestInput = { readonly registry: string; readonly limit: number }

async function readBest(db: Db, { registry, limit }: BestInput): Promise<readonly RatedToken[]> {
  // In whole numbers, which both databases divide alike.
  const worth = sql<number>`(CAST(SUM(score) AS bigint) + 6) * 1000 / (COUNT(*) + 2)`
  const rows = await db
    .selectFrom('rating')
    .where('registry', '=', registry)
    .select(['tokenId', worth.as('worth')])
    .groupBy('tokenId')
    .orderBy('worth', 'desc')
    .orderBy('tokenId')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ tokenId: tokenId(BigInt(row.tokenId)), worth: Number(row.worth) }))
}

/**
 * Returns the number of ratings of all tokens of a registry.
 *
 * @throws `rating/unavailable`
 */
export async function countRatings(store: sqlRatings.Parts, place: Registry): Promise<number> {
  await store.migrate(ratingTables)
  const db = store.db as unknown as Db
  const all = db.selectFrom('rating').where('registry', '=', registryId(place))
  return answered('count', async () => {
    const { count } = await all
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  })
}

/** Adds a rating, unless the account has one as new; returns the one that counts. */
async function add(db: Db, row: RatingRow): Promise<Rating> {
  const { registry, tokenId: id, account: rater, ...changed } = row
  await db
    .insertInto('rating')
    .values(row)
    .onConflict((it) =>
      it
        .columns(['registry', 'tokenId', 'account'])
        .doUpdateSet(changed)
        .where('rating.ratedAt', '<', row.ratedAt),
    )
    .execute()
  const counted = await db
    .selectFrom('rating')
    .selectAll()
    .where('registry', '=', registry)
    .where('tokenId', '=', id)
    .where('account', '=', rater)
    .executeTakeFirstOrThrow()
  return ratingOf(counted)
}

function rowOf(registry: string, { tokenId: id, payment, ...rating }: Rating): RatingRow {
  const rater = rating.account.toLowerCase()
  return { registry, tokenId: `${id}`, ...rating, account: rater, ...payment }
}

const ratingOf = (row: RatingRow): Rating => ({
  tokenId: tokenId(BigInt(row.tokenId)),
  account: account(getAddress(row.account)),
  score: Number(row.score) as Rating['score'],
  comment: row.comment,
  ratedAt: instant(Number(row.ratedAt)),
  message: row.message,
  signature: row.signature,
  payment: { act: row.act, txHash: row.txHash },
})

const cursorOf = ({ tokenId: id, ratedAt, account: rater }: RatingRow) =>
  `ratings.${id}.${ratedAt}.${rater}`

/** @throws `request/malformed` */
function readCursor(cursor: string, id: TokenId) {
  const [, of, ratedAt, rater] =
    /^ratings\.(\d{1,78})\.(\d{1,15})\.(0x[0-9a-f]{40})$/.exec(cursor) ?? []
  if (of === `${id}` && rater !== undefined) return { ratedAt: Number(ratedAt), account: rater }
  throw foreignCursor()
}

/** Returns the result of an operation. @throws `rating/unavailable` */
const answered = <T>(operation: string, act: () => Promise<T>): Promise<T> =>
  answeredBy(act, (cause) => new Failure('rating/unavailable', { operation }, { cause }))
