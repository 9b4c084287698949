import {
  type CardQuery,
  Failure,
  type ListingsQuery,
  type PageInput,
  type PriceRange,
  type TokensQuery,
  wordsOf,
} from '@heirloom/core'
import type { Kysely } from 'kysely'
import { noPrice, written } from './amounts.ts'
import { type Place, placeIn } from './cursor.ts'
import type { Database } from './schema.ts'
import { idOf } from './told.ts'

/** Returns the question for tokens as they are shown. */
export function shownTokens(db: Kysely<Database>) {
  return db
    .selectFrom('token')
    .leftJoin('card', (join) =>
      join.onRef('card.tokenId', '=', 'token.source').on('card.state', '=', 'shown'),
    )
    .selectAll('token')
    .select('card.card')
    .select((it) => [
      it
        .not(
          it.exists(
            it
              .selectFrom('token as elder')
              .select('elder.id')
              .whereRef('elder.contentHash', '=', 'token.contentHash')
              .whereRef('elder.id', '<', 'token.id'),
          ),
        )
        .as('isEarliest'),
    ])
}

type Question = ReturnType<typeof shownTokens>

/** More words than this are not looked for. */
const mostWords = 32

/** Above every word. */
const end = '\u{10ffff}'

/** Narrows a question to tokens whose cards say something. */
function withCard(question: Question, { search = '', category, tag }: CardQuery): Question {
  const words = [...new Set(wordsOf(search))]
  if (words.length > mostWords) {
    const problem = `has more than ${mostWords} words`
    throw new Failure('request/malformed', { where: 'search', problem })
  }
  let asked = question
  for (const word of words) {
    asked = asked.where('token.source', 'in', (it) =>
      it
        .selectFrom('word')
        .select('word.tokenId')
        .where('word.word', '>=', word)
        .where('word.word', '<', `${word}${end}`),
    )
  }
  if (category !== undefined) asked = asked.where('card.category', '=', category)
  if (tag === undefined) return asked
  return asked.where('token.source', 'in', (it) =>
    it.selectFrom('tag').select('tag.tokenId').where('tag.tag', '=', tag),
  )
}

/** Returns the question for a page of tokens, newest first. */
export function tokensQuestion(db: Kysely<Database>, query: TokensQuery): Question {
  const { owner, creator, parent, contentHash, renter } = query
  const place = placeIn(query, tokensList)
  let asked = withCard(shownTokens(db), query)
    .orderBy('token.id', 'desc')
    .limit(query.limit + 1)
  if (place) asked = asked.where('token.id', '<', place[1])
  if (owner) asked = asked.where('token.owner', '=', owner.toLowerCase())
  if (creator) asked = asked.where('token.creator', '=', creator.toLowerCase())
  if (parent !== undefined) asked = asked.where('token.parent', '=', idOf(parent))
  if (contentHash) asked = asked.where('token.contentHash', '=', contentHash)
  if (renter === undefined) return asked
  return asked.where('token.id', 'in', (it) =>
    it
      .selectFrom('rental')
      .select('rental.tokenId')
      .where('rental.renter', '=', renter.toLowerCase()),
  )
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

/** Returns what tells cursors of listings in one order from others. */
export function listingsList({ sort, descending }: ListingsQuery) {
  const isPrice = sort !== 'listedAt' && sort !== 'tokenId'
  const key = isPrice ? /^\d{32}$/ : /^(0|[1-9]\d{0,14})$/
  return { kind: `${sort}-${descending ? 'down' : 'up'}`, key }
}

/** Returns the question for a page of listings in the order that is wanted. */
export function listingsQuestion(db: Kysely<Database>, query: ListingsQuery): Question {
  const { offers = [], seller, creator, parent, sort, descending, limit } = query
  const place = placeIn(query, listingsList(query))
  let asked = withCard(shownTokens(db), query)
    .where('token.listedAt', 'is not', null)
    .orderBy(keyOf[sort], descending ? 'desc' : 'asc')
    .orderBy('token.id')
    .limit(limit + 1)
  const offered = prices.filter(
    (name) => sort === name || isClosed(query[name]) || offers.some((it) => priceOf[it] === name),
  )
  for (const name of offered) asked = withPrice(asked, name, query[name])
  if (place) asked = afterPlace(asked, query, place)
  if (seller) asked = asked.where('token.owner', '=', seller.toLowerCase())
  if (creator) asked = asked.where('token.creator', '=', creator.toLowerCase())
  if (parent !== undefined) asked = asked.where('token.parent', '=', idOf(parent))
  return asked
}

/** Tells whether a range leaves anything out. */
function isClosed({ min, max }: PriceRange = {}): boolean {
  return min !== undefined || max !== undefined
}

function withPrice(
  question: Question,
  name: (typeof prices)[number],
  { min, max }: PriceRange = {},
): Question {
  let asked = question.where(`token.${name}`, '>', noPrice)
  if (min !== undefined) asked = asked.where(`token.${name}`, '>=', written(min))
  if (max !== undefined) asked = asked.where(`token.${name}`, '<=', written(max))
  return asked
}

function afterPlace(
  question: Question,
  { sort, descending }: ListingsQuery,
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
