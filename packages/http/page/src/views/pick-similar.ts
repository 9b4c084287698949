import type { Token } from '../../../src/client/responses.ts'
import { addressOf } from '../api/address-of.ts'

/** The most memories that are shown. */
export const mostShown = 4

/** The most tags of a memory that others are searched by. */
const mostTags = 2

type Described = Pick<Token, 'tokenId' | 'card' | 'contentHash'>

/** Returns the requests for listings like a memory: by its first tags, and by its category. */
export function similarPaths({ card }: Pick<Token, 'card'>): readonly string[] {
  const { tags = [], category } = card ?? {}
  const shared = { group: 'family', limit: 2 * mostShown }
  const queries = [
    ...tags.slice(0, mostTags).map((tag) => ({ tag })),
    ...(category === undefined ? [] : [{ category }]),
  ]
  return queries.map((query) => addressOf('listings', { ...query, ...shared }))
}

/**
 * Returns the memories that have most in common with one: shared tags and words of the title count one
 * each, the category half. Forks of the memory itself have its content and are left out.
 */
export function pickSimilar<T extends Described>(
  token: Described,
  found: readonly T[],
): readonly T[] {
  const others = new Map(found.map((it) => [it.tokenId, it]))
  const likeness = new Map([...others].map(([id, it]) => [id, countShared(token, it)]))
  const of = ({ tokenId }: Described) => likeness.get(tokenId) ?? 0
  return [...others.values()]
    .filter((it) => it.contentHash !== token.contentHash && of(it) > 0)
    .toSorted((one, other) => of(other) - of(one))
    .slice(0, mostShown)
}

/** Returns the first token of each title: the versions of a memory have one title. */
export function pickFirstOfTitles<T extends Pick<Described, 'tokenId' | 'card'>>(
  tokens: readonly T[],
): readonly T[] {
  const keyOf = ({ tokenId, card }: T) => (card === null ? tokenId : `title ${card.title}`)
  return [...Map.groupBy(tokens, keyOf).values()].flatMap((same) => same.slice(0, 1))
}

function countShared(one: Described, other: Described): number {
  const tags = new Set(one.card?.tags)
  const shared = [...new Set(other.card?.tags)].filter((tag) => tags.has(tag)).length
  const words = new Set(wordsOf(one))
  const inTitle = [...new Set(wordsOf(other))].filter((word) => words.has(word)).length
  const category = one.card?.category
  return shared + inTitle + (category !== undefined && category === other.card?.category ? 0.5 : 0)
}

// Words of three letters or less say little about a memory.
const wordsOf = ({ card }: Described): readonly string[] =>
  card?.title.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []
