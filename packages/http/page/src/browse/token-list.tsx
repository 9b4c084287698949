import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Page, Token } from '../../../src/client/responses.ts'
import { Loading } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { ButtonLine, Section } from '../parts/section.tsx'
import { MemoryCard } from './memory-card.tsx'
import { pageSize, useListings } from './use-pages.ts'

export type TokenListProps = {
  readonly title: string
  /** The address of the list, with its query. */
  readonly path: string
  /** Says that the list is empty. */
  readonly none: string
  /** Returns whether a token of the list is shown; all are by default. */
  readonly isShown?: (token: Token) => boolean
  /** Returns what is said of a token beside its card; nothing by default. */
  readonly noteOf?: (token: Token) => string | undefined
  /** Called when the list is loaded, or cannot be. */
  readonly onLoad?: () => void
}

/** Shows a list of tokens page by page, under a title. */
export function TokenList({ title, path, onLoad, ...shown }: TokenListProps): JSX.Element {
  const { list, problem, loadMore } = useListings(path)
  const id = title.toLowerCase().replace(' ', '-')
  const isLoaded = list !== undefined || problem !== undefined
  useEffect(() => {
    if (isLoaded) onLoad?.()
  }, [isLoaded])
  return (
    <Section id={id} title={title}>
      <ProblemNotice problem={problem} />
      {!isLoaded && <Loading />}
      {list !== undefined && <Tokens of={list} {...shown} />}
      {list != null && list.next !== null && <ButtonLine name="Show more" onClick={loadMore} />}
    </Section>
  )
}

type TokensProps = Pick<TokenListProps, 'none' | 'isShown' | 'noteOf'> & {
  readonly of: Page<Token>
}

function Tokens({ of: { items, next }, none, isShown, noteOf }: TokensProps): JSX.Element {
  const shown = isShown === undefined ? items : items.filter(isShown)
  // More of the list may hold what is shown.
  if (shown.length === 0 && next === null) return <p class="hint">{none}</p>
  return (
    <Cards of={shown} below={(token) => noteOf?.(token) && <p class="kin">{noteOf(token)}</p>} />
  )
}

type CardsProps = {
  readonly of: readonly Token[]
  readonly below: (token: Token) => ComponentChildren
}

/** Shows memories as cards, one page of them more with each paint; one of a family stands for it. */
export function Cards({ of, below }: CardsProps): JSX.Element {
  const [drawn, setDrawn] = useState(0)
  const shown = of.slice(0, drawn + pageSize)
  // An effect runs after a paint: to draw them all before it would hold up the visitor.
  useEffect(() => setDrawn(shown.length), [shown.length])
  return (
    <ul class="cards">
      {shown.map((token) => (
        <li key={token.family?.tokenId ?? token.tokenId} data-row={token.tokenId}>
          <MemoryCard token={token}>{below(token)}</MemoryCard>
        </li>
      ))}
    </ul>
  )
}
