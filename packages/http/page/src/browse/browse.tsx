import { useRef } from 'preact/hooks'
import type { Facets, Page, Token } from '../../../src/client/responses.ts'
import { getJson } from '../api/get-json.ts'
import { useNamedVersion } from '../api/use-ens-account.ts'
import { useRead, useResource } from '../api/use-resource.ts'
import { AccountText } from '../parts/account.tsx'
import { useTitle } from '../parts/announce.ts'
import { Loading } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { AccountSeal } from '../parts/seal.tsx'
import { ButtonLine } from '../parts/section.tsx'
import { UserText } from '../parts/user-text.tsx'
import { type Navigation, navigate } from '../route.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { hasRpc, isChainClosed } from '../wallet/rpc-provider.ts'
import {
  type BrowseQuery,
  buildBrowsePath,
  buildFacetsPath,
  buildListingsPath,
  changeQuery,
  describeCount,
  describeOthers,
  describeWidened,
  findDestination,
  hasAll,
  isFiltered,
  isSearchable,
  parseBrowseQuery,
  widenSearch,
} from './browse-query.ts'
import { Filters } from './filters.tsx'
import { Landing } from './landing.tsx'
import { Cards } from './token-list.tsx'
import { type LoadedList, useListings } from './use-pages.ts'

/** Shows the live listings, with filters. */
export function Browse({ query: text }: { readonly query: string }): JSX.Element {
  const query = parseBrowseQuery(text)
  const title = [query.search, query.category, query.tag].find((it) => it !== '') ?? ''
  useTitle(title)
  const change = (changed: Partial<BrowseQuery>, how: Navigation = 'stay') =>
    navigate(buildBrowsePath(changeQuery(query, changed)), how)
  const found = useSearch(query)
  const { facets } = found
  // The choices stay in their place until those of the new list are there.
  const choices = useRef(facets)
  choices.current = facets ?? choices.current
  const isHome = !isFiltered(query)
  // There is nothing to filter on an empty market.
  const isEmpty = facets?.total === 0 && hasAll(query)
  return (
    <>
      {isHome ? <Landing facets={facets} /> : <h1 class="unseen">{title || 'Listings'}</h1>}
      <div class="browse">
        {isEmpty ? (
          <div />
        ) : (
          <Filters query={query} shown={found.shown} change={change} facets={choices.current} />
        )}
        <section aria-labelledby="listings" id="results" tabIndex={-1}>
          <h2 id="listings" class="unseen">
            Listings
          </h2>
          <Places search={query.search} />
          {found.isCorrected && <CorrectionNotice query={query} corrected={found.shown} />}
          {found.note !== '' && (
            <p class="hint" role="status">
              <UserText of={found.note} />
            </p>
          )}
          <Listings query={found.listed} facets={facets} />
        </section>
      </div>
    </>
  )
}

/** Searches for all words, then for those that were misspelt, then for some of them. */
function useSearch(query: BrowseQuery) {
  const own = useFacets(query)
  const search = own?.correction ?? undefined
  const isCorrected = search !== undefined
  // The numbers beside the list are those of the list.
  const shown = isCorrected ? changeQuery(query, { search }) : query
  const corrected = useFacets(shown, isCorrected)
  const whole = isCorrected ? corrected : own
  return { shown, isCorrected, ...useWidened(shown, whole) }
}

/** Searches for some of the words where few memories have all, and says so in its note. */
function useWidened(query: BrowseQuery, whole: Facets | undefined) {
  const some = widenSearch(query, whole?.total)
  const facets = useFacets(some ?? query, some !== undefined)
  if (some === undefined || facets === undefined) return { listed: query, facets: whole, note: '' }
  return { listed: some, facets, note: describeWidened(whole?.total ?? 0, facets) }
}

/** Loads the numbers of the listings; the list is shown without them where they cannot be had. */
function useFacets(query: BrowseQuery, isNeeded = true): Facets | undefined {
  const path = isNeeded ? buildFacetsPath(query) : ''
  return useResource(path, (signal) => getJson<Facets>(path, { signal })).value
}

type Props = { readonly query: BrowseQuery; readonly facets: Facets | undefined }

function Listings({ query, facets }: Props): JSX.Element {
  const { list, former, ...loaded } = useListings(buildListingsPath(query))
  if (list === undefined && loaded.problem !== undefined) {
    return <ProblemNotice problem={loaded.problem} />
  }
  const shown = list ?? former
  if (shown === undefined || (list === undefined && shown.items.length === 0)) return <Loading />
  if (shown.items.length === 0) return <Nothing query={query} />
  const isFormer = list === undefined
  return <Found query={query} facets={facets} loaded={loaded} list={shown} isFormer={isFormer} />
}

const Nothing = ({ query }: Pick<Props, 'query'>): JSX.Element =>
  hasAll(query) ? <NoListings /> : <NoMatches query={query} />

type FoundProps = Props & {
  readonly list: Page<Token>
  /** Whether the list is that of the query before, which is in sight until the next is loaded. */
  readonly isFormer: boolean
  readonly loaded: Pick<LoadedList, 'problem' | 'loadMore'>
}

function Found({ query, facets, list, isFormer, loaded }: FoundProps): JSX.Element {
  const { problem, loadMore } = loaded
  const title = isFormer ? undefined : list.items[0]?.card?.title
  return (
    <div aria-busy={isFormer}>
      <FamilyHeading query={query} title={title} />
      <p class="count" role="status">
        {isFormer ? 'Loading…' : describeCount(list, facets)}
      </p>
      <Cards of={list.items} below={(token) => <OtherMembers of={token} query={query} />} />
      <ProblemNotice problem={problem} />
      {list.next !== null && !isFormer && <ButtonLine name="Show more" onClick={loadMore} />}
    </div>
  )
}

/** Links to the other matching listings of a family. */
function OtherMembers({ of, query }: { readonly of: Token; readonly query: BrowseQuery }) {
  const others = describeOthers(of, query.sort)
  if (of.family === undefined || others === '') return undefined
  return (
    <p class="kin">
      <a class="over" href={buildBrowsePath({ ...query, family: of.family.tokenId })}>
        {others}
      </a>
    </p>
  )
}

type FamilyProps = { readonly query: BrowseQuery; readonly title?: string | undefined }

/** Shows that the list holds one family only, and leads out of it. */
function FamilyHeading({ query, title }: FamilyProps): JSX.Element | undefined {
  const { family } = query
  if (family === '') return undefined
  return (
    <div class="chosen-family">
      <h3>
        Family of <a href={`/token/${family}`}>No. {family}</a>
        {title !== undefined && [' · ', <UserText key="title" of={title} />]}
      </h3>
      <a href={buildBrowsePath(changeQuery(query, { family: '' }))}>Show all</a>
    </div>
  )
}

/** Leads to the page of what a search names: a number, an address or a version, and to makers whose names have it. */
function Places({ search }: Pick<BrowseQuery, 'search'>): JSX.Element | undefined {
  const version = useNamedVersion(search)
  const found = findDestination(search) ?? version.found
  const name = search.trim()
  const isName = found === undefined && isSearchable(name) && name.length <= 40
  const named = useRead('profiles', isName ? { name } : undefined).value?.items ?? []
  if (version.note) return <p class="hint">{version.note}</p>
  if (found === undefined && named.length === 0) return undefined
  return (
    <p class="makers">
      {found !== undefined && (
        <a class="hash" href={found.path}>
          Go to {found.name}
        </a>
      )}
      {named.slice(0, 5).map(({ account }) => (
        <a key={account} href={`/account/${account}`}>
          <AccountSeal of={account} /> <AccountText of={account} />
        </a>
      ))}
    </p>
  )
}

type CorrectionProps = { readonly query: BrowseQuery; readonly corrected: BrowseQuery }

/** Shows which words the list was searched for instead. */
function CorrectionNotice({ query, corrected }: CorrectionProps): JSX.Element {
  return (
    <p class="notice" role="status">
      No listing matches “<UserText of={query.search} />
      ”. Showing{' '}
      <a href={buildBrowsePath(corrected)}>
        <UserText of={corrected.search} />
      </a>{' '}
      instead.
    </p>
  )
}

function NoMatches({ query }: Pick<Props, 'query'>): JSX.Element {
  const { search, sort } = query
  const bare = parseBrowseQuery('')
  const unfiltered = { ...bare, search, sort, match: '' } as const
  const isNarrowed = search !== '' && isFiltered({ ...query, search: '' })
  return (
    <>
      <FamilyHeading query={query} />
      <div class="empty">
        <h3>No listing matches</h3>
        <p>
          {isFiltered(query)
            ? 'Search looks at titles, descriptions, tags, categories and formats. '
            : 'No memory on offer has yet what this order compares. '}
          {isNarrowed && (
            <>
              <a href={buildBrowsePath(unfiltered)}>Search without the other filters</a>, or{' '}
            </>
          )}
          <a href="/">{isNarrowed ? 'show all listings' : 'Show all listings'}</a>.
        </p>
      </div>
    </>
  )
}

function NoListings(): JSX.Element {
  return (
    <div class="empty">
      <h3>Nothing is on offer now</h3>
      {isChainClosed.value ? (
        <p>
          Only the operator lists memories here: wallets cannot reach the chain of this server. You
          can look around without a wallet.
        </p>
      ) : (
        <>
          <p>You can list a memory in about a minute:</p>
          <ol>
            {connectedWallet.value === undefined && (
              <li>
                <strong>Connect a wallet.</strong>
                {hasRpc.value &&
                  ' This server has an embedded chain, and a development wallet for it.'}
              </li>
            )}
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
          <p class="buttons">
            <a class="button main" href="/create">
              Create a memory
            </a>
          </p>
        </>
      )}
    </div>
  )
}
