import {
  type CardQuery,
  Failure,
  type ListingsQuery,
  type PageInput,
  type PriceRange,
  searchWords,
  type TokensQuery,
} from '@heirloom/core'
import {
  type Expression,
  expressionBuilder,
  type Kysely,
  type RawBuilder,
  type SqlBool,
} from 'kysely'
import { noPrice, written } from '../projection/sortable-decimal.ts'
import { type Place, placeIn } from './cursor.ts'
import { type FullText, lastRank } from '../full-text.ts'
import type { Database } from '../schema.ts'
import { idOf } from './decode-rows.ts'

/** What questions are put to. */
export type Asked = {
  readonly db: Kysely<Database>
  readonly fullText: FullText
  /** Runs questions that must see one state. */
  readonly inOneState: <T>(
    db: Kysely<Database>,
    work: (trx: Kysely<Database>) => Promise<T>,
  ) => Promise<T>
  /** Returns the condition, true of every row, that ends a question which looks at too many of them. */
  readonly isInTime: (column: Expression<number>) => RawBuilder<SqlBool>
}

/** Returns the question for tokens as they are shown. */
export function shownTokens(db: Kysely<Database>) {
  return db
    .selectFrom('token')
    .leftJoin('card', (join) =>
      join.onRef('card.tokenId', '=', 'token.source').on('card.state', '=', 'shown'),
    )
    .innerJoin('token as origin', 'origin.id', 'token.source')
    .leftJoin('seal', 'seal.digest', 'token.digest')
    .selectAll('token')
    .select(['card.card', 'origin.creator as sourceCreator'])
    .select(['seal.state as sealState', 'seal.sealedFor', 'seal.sealedContent'])
    .select((it) =>
      it
        .exists(
          it
            .selectFrom('token as elder')
            .select('elder.id')
            .whereRef('elder.digest', '=', 'token.digest')
            .whereRef('elder.creator', '=', 'origin.creator')
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
            .where('other.state', '=', 'read')
            .where('other.sealedFor', '<>', '')
            .whereRef('other.sealedFor', '<>', 'origin.creator'),
        )
        .as('isOfAnother'),
    )
}

type Question = ReturnType<typeof shownTokens>

const it = expressionBuilder<Database, 'token'>()

/** What a token must be. */
export type Condition = Expression<SqlBool>

/** Returns what a query wants of a token and its card, but for the words. */
export function tokenConditions(query: TokensQuery): readonly Condition[] {
  const { owner, contentHash, renter } = query
  const wanted: Condition[] = [...commonConditions(query)]
  if (owner) wanted.push(it('token.owner', '=', owner.toLowerCase()))
  if (contentHash) wanted.push(it('token.contentHash', '=', contentHash))
  if (renter !== undefined) {
    const rented = it
      .selectFrom('rental')
      .select('rental.tokenId')
      .where('rental.renter', '=', renter.toLowerCase())
    wanted.push(it('token.id', 'in', rented))
  }
  return wanted
}

type Common = CardQuery & Pick<TokensQuery, 'creator' | 'parent'>

function commonConditions({ creator, parent, category, tag }: Common): readonly Condition[] {
  const wanted: Condition[] = []
  if (creator) wanted.push(it('token.creator', '=', creator.toLowerCase()))
  if (parent !== undefined) wanted.push(it('token.parent', '=', idOf(parent)))
  if (category !== undefined) wanted.push(hasCategory(category))
  if (tag !== undefined) wanted.push(hasTag(tag))
  return wanted
}

// Looked up for each token, since that ends as soon as a page is full.

const hasCategory = (category: string): Condition =>
  it.exists(
    it
      .selectFrom('card as its')
      .select('its.tokenId')
      .whereRef('its.tokenId', '=', 'token.source')
      .where('its.state', '=', 'shown')
      .where('its.category', '=', category),
  )

const hasTag = (tag: string): Condition =>
  it.exists(
    it
      .selectFrom('tag')
      .select('tag.tokenId')
      .where('tag.tag', '=', tag)
      .whereRef('tag.tokenId', '=', 'token.source'),
  )

/** Returns the question for a page of tokens, newest first. */
export function tokensQuestion({ db, isInTime }: Asked, query: TokensQuery): Question {
  const place = placeIn(query, tokensList)
  const asked = shownTokens(db)
    .where(isInTime(it.ref('token.id')))
    .where(it.and(tokenConditions(query)))
    .orderBy('token.id', 'desc')
    .limit(query.limit + 1)
  return place ? asked.where('token.id', '<', place[1]) : asked
}

/** What tells cursors of tokens from others. */
export const tokensList = { kind: 'tokens', key: /^0$/ }

const priceOf = { sale: 'price', rent: 'rentalPricePerDay', fork: 'forkPrice' } as const
const prices = ['price', 'rentalPricePerDay', 'forkPrice'] as const
const keyOf = {
  listedAt: 'token.listedAt',
  tokenId: 'token.id',
  price: 'token.price',
  rentalPricePerDay: 'token.rentalPricePerDay',
  forkPrice: 'token.forkPrice',
} as const

/** A query for listings in an order that does not depend on what is looked for. */
export type SortedQuery = ListingsQuery & { readonly sort: keyof typeof keyOf }

/** Returns what tells cursors of listings in one order from others. */
export function listingsList({ sort, descending }: SortedQuery) {
  const isPrice = sort !== 'listedAt' && sort !== 'tokenId'
  const key = isPrice ? /^\d{32}$/ : /^(0|[1-9]\d{0,14})$/
  return { kind: `${sort}-${descending ? 'down' : 'up'}`, key }
}

/** Returns what a query wants of a listing and its card, but for the words. */
export function listingConditions(query: ListingsQuery): readonly Condition[] {
  const { offers = [], seller, sort } = query
  const offered = prices.filter(
    (name) => sort === name || isClosed(query[name]) || offers.some((it) => priceOf[it] === name),
  )
  return [
    it('token.listedAt', 'is not', null),
    ...offered.flatMap((name) => priceConditions(name, query[name])),
    ...(seller ? [it('token.owner', '=', seller.toLowerCase())] : []),
    ...commonConditions(query),
  ]
}

/** Tells whether a range leaves anything out. */
function isClosed({ min, max }: PriceRange = {}): boolean {
  return min !== undefined || max !== undefined
}

function priceConditions(
  name: (typeof prices)[number],
  { min, max }: PriceRange = {},
): readonly Condition[] {
  const wanted: Condition[] = [it(`token.${name}`, '>', noPrice)]
  if (min !== undefined) wanted.push(it(`token.${name}`, '>=', written(min)))
  if (max !== undefined) wanted.push(it(`token.${name}`, '<=', written(max)))
  return wanted
}

/** Returns the question for a page of listings in the order that is wanted. */
export function listingsQuestion({ db, fullText, isInTime }: Asked, query: SortedQuery): Question {
  const { sort, descending, limit, search = '' } = query
  const place = placeIn(query, listingsList(query))
  const words = searchWords(search)
  let asked = shownTokens(db)
    .where(isInTime(it.ref('token.id')))
    .where(it.and(listingConditions(query)))
    .orderBy(keyOf[sort], descending ? 'desc' : 'asc')
    .orderBy('token.id')
    .limit(limit + 1)
  if (words.length > 0) {
    const found = { words, rank: lastRank, isExact: false }
    asked = asked.where(fullText.isAmong(it.ref('token.source'), found))
  }
  return place ? afterPlace(asked, query, place) : asked
}

function afterPlace(
  question: Question,
  { sort, descending }: SortedQuery,
  [key, id]: Place,
): Question {
  const value = sort === 'listedAt' || sort === 'tokenId' ? Number(key) : key
  const [beyond, notBefore] = descending ? (['<', '<='] as const) : (['>', '>='] as const)
  return question
    .where(keyOf[sort], notBefore, value)
    .where((it) => it.or([it(keyOf[sort], beyond, value), it('token.id', '>', id)]))
}

/** Refuses a page that is too long or empty. */
export function requireLimit({ limit }: Pick<PageInput, 'limit'>): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100) return
  throw new Failure('request/malformed', { where: 'limit', problem: 'is 1 to 100' })
}
