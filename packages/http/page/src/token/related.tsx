import type { Page, Token } from '../../../src/client/responses.ts'
import { addressOf, getJson } from '../api/get-json.ts'
import { useRead, useResource } from '../api/use-resource.ts'
import { Section } from '../parts/section.tsx'
import { TokenLink, untitled } from '../parts/token-link.tsx'
import { isMadeBy } from '../text/account.ts'

/** Shows what else the maker of a memory made, and what is on offer like it. */
export function Related({ token }: { readonly token: Token }): JSX.Element {
  return (
    <>
      <OtherWorks token={token} />
      <Similar token={token} />
    </>
  )
}

/** The most tokens of a maker that are read, of which the forks are left out. */
const mostRead = 20

function OtherWorks({ token }: { readonly token: Token }): JSX.Element | undefined {
  const { tokenId } = token
  const creator = token.source?.creator ?? token.creator
  const { value } = useRead('tokens', { creator, limit: mostRead })
  const isOther = (it: Token) =>
    it.tokenId !== tokenId && it.tokenId !== token.source?.tokenId && isMadeBy(it, creator)
  const others = pickFirstOfTitles(value?.items.filter(isOther) ?? []).slice(0, mostShown)
  if (others.length === 0) return undefined
  return (
    <Section id="others" title="By the same maker">
      <TokenList of={others} />
      <p>
        <a href={`/account/${creator}`}>All of this account</a>
      </p>
    </Section>
  )
}

function Similar({ token }: { readonly token: Token }): JSX.Element | undefined {
  const paths = similarPaths(token)
  const { value } = useResource(paths.join(' '), (signal) =>
    Promise.all(paths.map((path) => getJson<Page<Token>>(path, { signal }))),
  )
  const similar = pickSimilar(token, value?.flatMap(({ items }) => items) ?? [])
  if (similar.length === 0) return undefined
  return (
    <Section id="similar" title="Similar, on offer">
      <TokenList of={similar} />
    </Section>
  )
}

function TokenList({ of }: { readonly of: readonly Token[] }): JSX.Element {
  return (
    <ul class="ledger">
      {of.map(({ tokenId, card, erasedAt }) => (
        <li key={tokenId}>
          <TokenLink tokenId={tokenId} title={card?.title ?? untitled} />
          {erasedAt !== null && <span class="hint">erased</span>}
        </li>
      ))}
    </ul>
  )
}

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
