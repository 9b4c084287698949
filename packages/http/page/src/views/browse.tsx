import type { JSX } from 'preact'
import type { Facets, Page, Token } from '../../../src/client/responses.ts'
import { getJson } from '../api/get-json.ts'
import { useResource } from '../api/use-resource.ts'
import { Loading } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { UserText } from '../parts/user-text.tsx'
import { type Navigation, navigate } from '../route.ts'
import { useTitle } from '../use-title.ts'
import {
  type BrowseQuery,
  buildBrowsePath,
  buildFacetsPath,
  buildListingsPath,
  changeQuery,
  isFiltered,
  parseBrowseQuery,
} from './browse-query.ts'
import { describeCount } from './describe-count.ts'
import { Filters } from './filters.tsx'
import { MemoryCard } from './memory-card.tsx'
import { type LoadedList, useListings } from './use-listings.ts'
import { Welcome } from './welcome.tsx'

/** Shows the live listings, with filters. */
export function Browse({ query: text }: { readonly query: string }): JSX.Element {
  useTitle('')
  const query = parseBrowseQuery(text)
  const change = (changed: Partial<BrowseQuery>, how: Navigation = 'stay') =>
    navigate(buildBrowsePath(changeQuery(query, changed)), how)
  const facets = useFacets(query)
  // There is nothing to filter on an empty market.
  const isEmpty = facets?.total === 0 && !isFiltered(query)
  return (
    <>
      <Welcome />
      <div class="browse">
        {isEmpty ? <div /> : <Filters query={query} change={change} facets={facets} />}
        <section aria-labelledby="listings">
          <h2 id="listings" class="unseen">
            Listings
          </h2>
          <Listings query={query} facets={facets} key={buildListingsPath(query)} />
        </section>
      </div>
    </>
  )
}

/** Loads the numbers of the listings; the list is shown without them where they cannot be had. */
function useFacets(query: BrowseQuery): Facets | undefined {
  const path = buildFacetsPath(query)
  return useResource(path, (signal) => getJson<Facets>(path, signal)).value
}

type Props = { readonly query: BrowseQuery; readonly facets: Facets | undefined }

function Listings({ query, facets }: Props): JSX.Element {
  const loaded = useListings(buildListingsPath(query))
  const { list, problem } = loaded
  if (list === undefined) {
    return problem === undefined ? <Loading /> : <ProblemNotice problem={problem} />
  }
  return list.items.length === 0 ? (
    <Nothing query={query} facets={facets} />
  ) : (
    <Found query={query} facets={facets} loaded={{ ...loaded, list }} />
  )
}

function Nothing({ query, facets }: Props): JSX.Element {
  if (!isFiltered(query)) return <NoListings />
  const search = facets?.correction
  return search == null ? <NoMatches /> : <Corrected query={query} search={search} />
}

type FoundProps = Props & { readonly loaded: LoadedList & { readonly list: Page<Token> } }

function Found({ query, facets, loaded: { list, problem, loadMore } }: FoundProps): JSX.Element {
  return (
    <>
      <p class="count" role="status">
        {describeCount(list, facets)}
      </p>
      <Cards of={list.items} query={query} />
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {list.next !== null && (
        <p class="buttons center">
          <button type="button" onClick={loadMore}>
            Show more
          </button>
        </p>
      )}
    </>
  )
}

function Cards({ of, query }: { readonly of: Page<Token>['items']; readonly query: BrowseQuery }) {
  return (
    <ul class="cards">
      {of.map((token) => (
        <li key={token.family?.tokenId ?? token.tokenId}>
          <MemoryCard token={token}>
            <OtherMembers of={token} query={query} />
          </MemoryCard>
        </li>
      ))}
    </ul>
  )
}

/** Links to the other matching listings of a family. */
function OtherMembers({ of, query }: { readonly of: Token; readonly query: BrowseQuery }) {
  const { family } = of
  if (family === undefined || family.listings < 2) return undefined
  const others = family.listings - 1
  return (
    <p class="kin">
      <a class="over" href={buildBrowsePath({ ...query, family: family.tokenId })}>
        {others === 1 ? '1 more offer' : `${others} more offers`} of this memory
      </a>
    </p>
  )
}

type CorrectedProps = { readonly query: BrowseQuery; readonly search: string }

/** Shows what the corrected words of a search find. */
function Corrected({ query, search }: CorrectedProps): JSX.Element {
  const corrected = changeQuery(query, { search })
  const facets = useFacets(corrected)
  return (
    <>
      <p class="notice" role="status">
        No listing matches “<UserText of={query.search} />
        ”. Showing{' '}
        <a href={buildBrowsePath(corrected)}>
          <UserText of={search} />
        </a>{' '}
        instead.
      </p>
      <Listings query={corrected} facets={facets && { ...facets, correction: null }} />
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
