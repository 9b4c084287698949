import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Page, Token } from '../../../src/client/responses.ts'
import { ask } from '../api/request.ts'
import { problemOf } from '../api/problem.ts'
import { useAsked } from '../api/use-resource.ts'
import { Waiting } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { go } from '../route.ts'
import { useTitle } from '../use-title.ts'
import {
  type BrowseQuery,
  browsePath,
  changedQuery,
  isNarrowed,
  listingsPath,
  readBrowseQuery,
} from './browse-query.ts'
import { Filters } from './filters.tsx'
import { MemoryCard } from './memory-card.tsx'
import { Welcome } from './welcome.tsx'

/** The live listings, to look through and to search. */
export function Browse({ query: text }: { readonly query: string }): JSX.Element {
  useTitle('')
  const query = readBrowseQuery(text)
  const change = (changed: Partial<BrowseQuery>) =>
    go(browsePath(changedQuery(query, changed)), 'replace')
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
  const path = listingsPath(query)
  const { value, problem } = useAsked(path, (signal) => ask<Page<Token>>(path, signal))
  if (value === undefined) {
    return problem === undefined ? <Waiting /> : <ProblemNotice problem={problem} />
  }
  if (value.items.length === 0) return isNarrowed(query) ? <NothingFound /> : <NothingYet />
  return (
    <>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <p class="count" role="status">
        {countWords(value)}
      </p>
      <Pages first={value} query={query} key={path} />
    </>
  )
}

function countWords({ items: { length }, next }: Page<Token>): string {
  if (next !== null) return `More than ${length} memories are on offer`
  return length === 1 ? '1 memory is on offer' : `${length} memories are on offer`
}

function Pages({ first, query }: { first: Page<Token>; query: BrowseQuery }): JSX.Element {
  const [more, setMore] = useState<readonly Page<Token>[]>([])
  const [failed, setFailed] = useState<unknown>()
  // Where the first page ends otherwise, what follows it does too.
  useEffect(() => setMore([]), [first.next])
  const { next } = more.at(-1) ?? first
  const load = async () => {
    setFailed(undefined)
    await ask<Page<Token>>(listingsPath(query, next ?? '')).then(
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
      {failed !== undefined && <ProblemNotice problem={problemOf(failed)} />}
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

function NothingFound(): JSX.Element {
  return (
    <div class="empty">
      <h3>Nothing on offer matches</h3>
      <p>
        Search finds the beginnings of words in titles, descriptions, tags and categories.{' '}
        <a href="/">Show everything on offer</a>.
      </p>
    </div>
  )
}

function NothingYet(): JSX.Element {
  return (
    <div class="empty">
      <h3>The shelves are empty</h3>
      <p>Nobody offers a memory here yet. You can be the first, in about a minute:</p>
      <ol>
        <li>
          <strong>Connect a wallet.</strong> On this machine's own chain a development wallet is
          built in.
        </li>
        <li>
          <strong>
            <a href="/create">Create a memory</a>
          </strong>{' '}
          from a file. It is sealed before it is stored; you choose what to show of it.
        </li>
        <li>
          <strong>List it</strong> for sale, for rent by the day, or for others to fork.
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
