import {
  type Card,
  type CataloguedToken,
  compareCodePoints,
  currencyOf,
  type FacetCount,
  type Facets,
  type KnownWord,
  nearestWord,
  searchScore,
  searchWords,
  stemOf,
  type TokenId,
  type WeightedWord,
  wordsByField,
  wordWeight,
} from '@heirloom/core'
import { makesOffer } from './filters.ts'
import { formatOf, type Order } from './pages.ts'

/** Returns the token whose card a token shows, and a text that is the same for all of its family. */
type FamilyOf = (token: CataloguedToken) => {
  readonly source: TokenId
  readonly key: string
  /** Whether it has another owner than at first. */
  readonly isResold: boolean
}

/** Returns the numbers of listings; their correction is added by `correctSearch`. */
export function countFacets(
  listed: readonly CataloguedToken[],
  familyOf: FamilyOf,
): Omit<Facets, 'correction' | 'leftOut'> {
  const countOf = (matches: (token: CataloguedToken) => boolean) => listed.filter(matches).length
  return {
    total: listed.length,
    isCut: false,
    families: new Set(listed.map((token) => familyOf(token).key)).size,
    offers: {
      sale: countOf((it) => makesOffer(it, 'sale')),
      rent: countOf((it) => makesOffer(it, 'rent')),
      fork: countOf((it) => makesOffer(it, 'fork')),
    },
    currencies: {
      native: countOf(({ terms }) => currencyOf(terms) === 'native'),
      dollar: countOf(({ terms }) => currencyOf(terms) === 'dollar'),
    },
    categories: mostFrequent(listed.flatMap(({ card }) => card?.category ?? [])),
    tags: mostFrequent(listed.flatMap(({ card }) => [...new Set(card?.tags)])),
    formats: mostFrequent(listed.flatMap((token) => formatOf(token) ?? [])),
    makers: mostFrequent(
      listed.map(({ creator, source }) => source?.creator ?? creator),
      (account) => account.toLowerCase(),
    ),
  }
}

const mostShown = 20

function mostFrequent<Value extends string>(
  values: readonly Value[],
  keyOf = (value: Value): string => value,
): readonly FacetCount<Value>[] {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted(
      (one, other) =>
        other.count - one.count || compareCodePoints(keyOf(one.value), keyOf(other.value)),
    )
    .slice(0, mostShown)
}

/** Returns a search with its unknown words replaced by the most similar words of all cards. */
export function correctSearch(search: string, cards: readonly Card[]): string | undefined {
  const known = knownWords(cards)
  const corrected = searchWords(search).map((word) =>
    known.some((it) => it.word.startsWith(word)) ? word : nearestWord(word, known),
  )
  const isCorrected = corrected.length > 0 && corrected.every((word) => word !== undefined)
  const text = corrected.join(' ')
  return isCorrected && text !== searchWords(search).join(' ') ? text : undefined
}

/** Returns the words of a search for some of them that cards have, and those that none has. */
export function someWords(
  search: string,
  tokens: readonly CataloguedToken[],
): { readonly known: readonly WeightedWord[]; readonly leftOut: readonly string[] } {
  const minted = tokens.filter(({ royaltyBps }) => royaltyBps === undefined)
  const last = Math.max(0, ...tokens.map(({ tokenId }) => Number(tokenId)))
  const similar = knownWords(minted.flatMap(({ card }) => card ?? []))
  const cardsWith = (word: string) =>
    minted.filter((it) => it.card && searchScore(it.card, [{ word, weight: 1 }], formatOf(it)) > 0)
      .length
  const read = searchWords(search).map((typed) => {
    const forms = [stemOf(typed), nearestWord(typed, similar)]
    return { typed, word: forms.find((it) => it !== undefined && cardsWith(it) > 0) }
  })
  return {
    known: read.flatMap(({ word }) =>
      word === undefined ? [] : [{ word, weight: wordWeight(cardsWith(word), last) }],
    ),
    leftOut: read.flatMap(({ typed, word }) => (word === undefined ? [typed] : [])),
  }
}

function knownWords(cards: readonly Card[]): readonly KnownWord[] {
  const counts = new Map<string, number>()
  for (const card of cards) {
    for (const word of new Set(wordsByField(card).flat())) {
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return [...counts].map(([word, cards]) => ({ word, cards }))
}

/** An order of listings, and whether it is one of prices. */
type ListedOrder = Order<CataloguedToken> & { readonly isByPrice: boolean }

/**
 * Returns of each family the listing that stands for it in an order, with the numbers of all: in an
 * order of prices the first, of equal ones the newest version; in any other order the newest version,
 * otherwise the first.
 */
export function firstOfFamilies(
  listed: readonly CataloguedToken[],
  { keyOf, descending = false, isByPrice }: ListedOrder,
  familyOf: FamilyOf,
): readonly CataloguedToken[] {
  const isVersion = (token: CataloguedToken) => familyOf(token).source === token.tokenId
  const standingOf = (token: CataloguedToken): readonly bigint[] => {
    if (!isVersion(token)) return [2n, 0n]
    return [familyOf(token).isResold ? 1n : 0n, -token.tokenId]
  }
  const placeOf = (token: CataloguedToken): readonly bigint[] => {
    const [key, id] = keyOf(token)
    const place = descending ? -key : key
    const standing = standingOf(token)
    return isByPrice ? [place, ...standing, id] : [...standing, place, id]
  }
  const families = Map.groupBy(listed, (token) => familyOf(token).key)
  return [...families.values()].map((members) => {
    const first = members.reduce((one, other) =>
      isBefore(placeOf(other), placeOf(one)) ? other : one,
    )
    const numbers = { listings: members.length, versions: members.filter(isVersion).length }
    return { ...first, family: { tokenId: familyOf(first).source, ...numbers } }
  })
}

/** Returns whether a place comes before another: their first numbers that differ decide. */
function isBefore(one: readonly bigint[], other: readonly bigint[]): boolean {
  const at = one.findIndex((key, index) => key !== other[index])
  return at >= 0 && (one[at] ?? 0n) < (other[at] ?? 0n)
}
