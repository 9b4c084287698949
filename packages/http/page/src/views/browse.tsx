import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Page, Token } from '../../../src/client/responses.ts'
import { getJson } from '../api/get-json.ts'
import { toProblem } from '../api/problem.ts'
import { useResource } from '../api/use-resource.ts'
import { Loading } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { navigate } from '../route.ts'
import { useTitle } from '../use-title.ts'
import {
  type BrowseQuery,
  buildBrowsePath,
  buildListingsPath,
  changeQuery,
  isFiltered,
  parseBrowseQuery,
} from './browse-query.ts'
import { Filters } from './filters.tsx'
import { MemoryCard } from './memory-card.tsx'
import { Welcome } from './welcome.tsx'

/** Shows the live listings, with filters. */
export function Browse({ query: text }: { readonly query: string }): JSX.Element {
  useTitle('')
  const query = parseBrowseQuery(text)
  const change = (changed: Partial<BrowseQuery>) =>
    navigate(buildBrowsePath(changeQuery(query, changed)), 'replace')
  return (
    <>
      <Welcome />
      <div class="browse">
        <Filters query={query} change={change} />
        <section aria-labelledby="listings">
          <h2 id="listings" class="unseen">
            Listings
          </h2>
          <Listings query={query} />
        </section>
      </div>
    </>
  )
}

function Listings({ query }: { readonly query: BrowseQuery }): JSX.Element {
  const path = buildListingsPath(query)
  const { value, problem } = useResource(path, (signal) => getJson<Page<Token>>(path, signal))
  if (value === undefined) {
    return problem === undefined ? <Loading /> : <ProblemNotice problem={problem} />
  }
  if (value.items.length === 0) return isFiltered(query) ? <NoMatches /> : <NoListings />
  return (
    <>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <p class="count" role="status">
        {describeCount(value)}
      </p>
      <Pages first={value} query={query} key={path} />
    </>
  )
}

function describeCount({ items: { length }, next }: Page<Token>): string {
  if (next !== null) return `More than ${length} memories are on offer`
  return length === 1 ? '1 memory is on offer' : `${length} memories are on offer`
}

function Pages({ first, query }: { first: Page<Token>; query: BrowseQuery }): JSX.Element {
  const [more, setMore] = useState<readonly Page<Token>[]>([])
  const [failed, setFailed] = useState<unknown>()
  // When the end of the first page changes, so do the pages after it.
  useEffect(() => setMore([]), [first.next])
  const { next } = more.at(-1) ?? first
  const load = async () => {
    setFailed(undefined)
    await getJson<Page<Token>>(buildListingsPath(query, next ?? '')).then(
      (page) => setMore([...more, page]),
      setFailed,
    )
  }
  return (
    <>
      <ul class="cards">
        {[first, ...more].flatMap(({ items }) =>
          items.map((token) => (
            <li key={token.tokenId}>
              <MemoryCard token={token} />
            </li>
          )),
        )}
      </ul>
      {failed !== undefined && <ProblemNotice problem={toProblem(failed)} />}
      {next !== null && (
        <p class="buttons center">
          <button type="button" onClick={load}>
            Show more
          </button>
        </p>
      )}
    </>
  )
}

function NoMatches(): JSX.Element {
  return (
    <div class="empty">
      <h3>No listing matches</h3>
      <p>
        Search finds prefixes of words in titles, descriptions, tags and categories.{' '}
        <a href="/">Show all listings</a>.
      </p>
    </div>
  )
}

function NoListings(): JSX.Element {
  return (
    <div class="empty">
      <h3>Nothing is listed yet</h3>
      <p>You can list the first memory in about a minute:</p>
      <ol>
        <li>
          <strong>Connect a wallet.</strong> With the embedded chain, a development wallet is built
          in.
        </li>
        <li>
          <strong>
            <a href="/create">Create a memory</a>
          </strong>{' '}
          from a file. It is encrypted before it is stored; you choose what is public.
        </li>
        <li>
          <strong>List it</strong> for sale, for rent by the day, or for forks.
        </li>
      </ol>
      <p class="buttons center">
        <a class="button main" href="/create">
          Create the first memory
        </a>
      </p>
    </div>
  )
}
