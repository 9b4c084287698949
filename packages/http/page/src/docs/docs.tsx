import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { getJson } from '../api/get-json.ts'
import { useResource } from '../api/use-resource.ts'
import { Loading } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { useTitle } from '../use-title.ts'
import { Guide } from './guide.tsx'
import { guideTitles } from './guides.ts'
import { listOperations, matchesSearch, type OpenApi, type Operation } from './operation.ts'
import { OperationView } from './operation-view.tsx'

/** Shows the reference of the interface and the guides, and finds what is in them. */
export function Docs({ guide }: { readonly guide: string | undefined }): JSX.Element {
  useTitle(guide === undefined ? 'Reference' : (guideTitles[guide] ?? 'Guide'))
  if (guide !== undefined) return <Guide name={guide} />
  return (
    <>
      <header class="welcome">
        <h1>Reference</h1>
        <p class="lead">
          Every route of this server, from its <a href="/openapi.json">OpenAPI document</a>. The
          examples run here, with your own access key where one is needed.
        </p>
      </header>
      <Reference />
    </>
  )
}

function Reference(): JSX.Element {
  const [search, setSearch] = useState('')
  const path = '/openapi.json'
  const { value, problem } = useResource(path, (signal) => getJson<OpenApi>(path, signal))
  if (problem !== undefined) return <ProblemNotice problem={problem} />
  if (value === undefined) return <Loading what="Loading the reference" />
  const found = listOperations(value).filter((it) => matchesSearch(it, search))
  const guides = Object.entries(guideTitles).filter(([, title]) =>
    title.toLowerCase().includes(search.trim().toLowerCase()),
  )
  return (
    <div class="docs">
      <label class="field">
        <span>Search routes and guides</span>
        <input
          type="search"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      </label>
      <p role="status" class="hint">
        {found.length} routes, {guides.length} guides
      </p>
      {guides.length > 0 && <GuideList guides={guides} />}
      {groupByName(found).map(([group, operations]) => (
        <section key={group} aria-label={group}>
          <h2>{group}</h2>
          {operations.map((it) => (
            <OperationView key={it.id} operation={it} />
          ))}
        </section>
      ))}
    </div>
  )
}

const groupByName = (operations: readonly Operation[]) => [
  ...Map.groupBy(operations, ({ group }) => group),
]

function GuideList({ guides }: { readonly guides: readonly (readonly [string, string])[] }) {
  return (
    <section aria-labelledby="guides">
      <h2 id="guides">Guides</h2>
      <ul class="guides">
        {guides.map(([name, title]) => (
          <li key={name}>
            <a href={`/docs/guides/${name}`}>{title}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}
