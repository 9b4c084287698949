import {
  type CardQuery,
  type CataloguedToken,
  Failure,
  type Page,
  type PageInput,
  readFacts,
  searchRank,
  searchScore,
  searchWords,
  type TokenId,
  type WeightedWord,
} from '@heirloom/core'

/** Returns the format that the memory of a token was imported from. */
export const formatOf = ({ sample }: CataloguedToken): string | undefined =>
  readFacts(sample?.excerpts ?? []).format

/** An order of items. */
export type Order<T> = {
  /** Identifies the order in cursors. */
  readonly name: string
  /** Returns the sort key of an item, which does not depend on other items. */
  readonly keyOf: (item: T) => OrderKey
  readonly descending?: boolean
}

/** A sort key: the second number orders items whose first number is equal. */
export type OrderKey = readonly [bigint, bigint]

/**
 * Returns a page of items in an order.
 *
 * @throws `request/malformed` for an invalid cursor, or a cursor of another order
 */
export function pageOf<T>(
  items: readonly T[],
  { after, limit }: PageInput,
  order: Order<T>,
): Page<T> {
  const { keyOf, descending = false } = order
  const compare = ([a, b]: OrderKey, [c, d]: OrderKey): bigint =>
    a === c ? b - d : descending ? c - a : a - c
  const begin = after === undefined ? undefined : readCursor(after, order.name)
  const rest = items
    .filter((item) => begin === undefined || compare(keyOf(item), begin) > 0n)
    .toSorted((one, other) => (compare(keyOf(one), keyOf(other)) > 0n ? 1 : -1))
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  const isEnd = last === undefined || rest.length === page.length
  return { items: page, next: isEnd ? undefined : writeCursor(order.name, keyOf(last)) }
}

const writeCursor = (order: string, [key, id]: OrderKey) => `${order}.${key}.${id}`

function readCursor(text: string, order: string): OrderKey {
  const [name, key = '', id = '', more] = text.split('.')
  const isDecimal = /^(0|-?[1-9][0-9]{0,77})$/
  if (name !== order || more !== undefined || !isDecimal.test(key) || !isDecimal.test(id)) {
    throw new Failure('request/malformed', { where: 'after', problem: 'is no cursor of this list' })
  }
  return [BigInt(key), BigInt(id)]
}

/** A number above every token id, so that a rank and a token id make one sort key. */
const rankFactor = 10n ** 40n

/**
 * Returns a function that creates the order of a search, or `undefined` for a search without words.
 * `sourceOf` returns the token whose card a licensed fork shows.
 */
export const searchOrders =
  (sourceOf: (id: TokenId) => TokenId) =>
  (
    { search, match }: Pick<CardQuery, 'search' | 'match'>,
    some: readonly WeightedWord[],
    name: string,
  ): Order<CataloguedToken> | undefined => {
    const words = searchWords(search ?? '')
    if (words.length === 0) return undefined
    const scoreOf = (token: CataloguedToken) => {
      const { card } = token
      if (card === undefined) return 0
      if (match === 'any') return searchScore(card, some, formatOf(token))
      return 9 - (searchRank(card, words, formatOf(token)) ?? 9)
    }
    return {
      name: match === 'any' ? `scored-${name}` : name,
      descending: true,
      keyOf: (token) => {
        const { tokenId } = token
        return [rankFactor * BigInt(scoreOf(token)) + sourceOf(tokenId), -tokenId]
      },
    }
  }
