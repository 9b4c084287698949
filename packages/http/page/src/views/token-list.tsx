import type { JSX } from 'preact'
import { Loading } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { MemoryCard } from './memory-card.tsx'
import { useListings } from './use-listings.ts'

type Props = {
  readonly title: string
  /** The address of the list, with its query. */
  readonly path: string
  /** Says that the list is empty. */
  readonly none: string
}

/** Shows a list of tokens page by page, under a title. */
export function TokenList({ title, path, none }: Props): JSX.Element {
  const { list, problem, loadMore } = useListings(path)
  const id = title.toLowerCase().replace(' ', '-')
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {list === undefined && problem === undefined && <Loading />}
      {list?.items.length === 0 && <p class="hint">{none}</p>}
      <ul class="cards">
        {list?.items.map((token) => (
          <li key={token.tokenId}>
            <MemoryCard token={token} />
          </li>
        ))}
      </ul>
      {list != null && list.next !== null && (
        <p class="buttons">
          <button type="button" onClick={loadMore}>
            Show more
          </button>
        </p>
      )}
    </section>
  )
}
