import type { JSX } from 'preact'
import type { Page, Token } from '../../../src/client/responses.ts'
import { getJson } from '../api/get-json.ts'
import { untitled } from '../api/token-titles.ts'
import { useRead, useResource } from '../api/use-resource.ts'
import { TokenLink } from '../parts/token-link.tsx'
import { isMadeBy } from './is-made-by.ts'
import { mostShown, pickFirstOfTitles, pickSimilar, similarPaths } from './pick-similar.ts'

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
    <section aria-labelledby="others">
      <h2 id="others">By the same maker</h2>
      <TokenList of={others} />
      <p>
        <a href={`/account/${creator}`}>All of this account</a>
      </p>
    </section>
  )
}

function Similar({ token }: { readonly token: Token }): JSX.Element | undefined {
  const paths = similarPaths(token)
  const { value } = useResource(paths.join(' '), (signal) =>
    Promise.all(paths.map((path) => getJson<Page<Token>>(path, signal))),
  )
  const similar = pickSimilar(token, value?.flatMap(({ items }) => items) ?? [])
  if (similar.length === 0) return undefined
  return (
    <section aria-labelledby="similar">
      <h2 id="similar">Similar, on offer</h2>
      <TokenList of={similar} />
    </section>
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
