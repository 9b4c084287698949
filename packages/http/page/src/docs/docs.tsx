import { guideTitles, readersOf } from '../../../src/api/guide-titles.ts'
import { withQuery } from '../../../src/client/transport/with-query.ts'
import { getJson } from '../api/get-json.ts'
import { useAnswer } from '../api/use-answer.ts'
import { useResource } from '../api/use-resource.ts'
import { useTitle } from '../parts/announce.ts'
import { TextField } from '../parts/form-fields.tsx'
import { Loading } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { Button, Section, Welcome } from '../parts/section.tsx'
import { navigate } from '../route.ts'
import { Blocks, parseInWorker } from '../viewer/markdown-view.tsx'
import type { Block } from '../viewer/parse-markdown.ts'
import { listOperations, matchesSearch, type OpenApi } from './operation.ts'
import { OperationView, Prose } from './operation-view.tsx'

type Props = { readonly guide: string | undefined; readonly query: string }

/** Shows the reference of the interface and the guides, and finds what is in them. */
export function Docs({ guide, query }: Props): JSX.Element {
  if (guide !== undefined) return <Guide name={guide} />
  return (
    <>
      <Welcome title="Reference">
        Every route of this server, from its <a href="/openapi.json">OpenAPI document</a>. The
        examples run here, with your own access key where one is needed.
      </Welcome>
      <Reference search={new URLSearchParams(query).get('search') ?? ''} />
    </>
  )
}

function Reference({ search }: { readonly search: string }): JSX.Element {
  const path = '/openapi.json'
  const { value, problem } = useResource(path, (signal) => getJson<OpenApi>(path, { signal }))
  const guides = useAnswer(() => findGuides(search), [search]).last
  if (problem !== undefined) return <ProblemNotice problem={problem} />
  if (value === undefined || guides === undefined) return <Loading what="Loading the reference" />
  const found = listOperations(value).filter((it) => matchesSearch(it, search))
  const groups = Map.groupBy(found, (it) => it.group)
  // Each word replaces the address, so that Back from a guide returns to the search.
  const change = (text: string) => navigate(withQuery('/docs', { search: text }), 'replace')
  return (
    <div class="docs">
      <TextField name="Search routes and guides" type="search" text={search} setText={change} />
      <p role="status" class="hint">
        {describeResults({ routes: found.length, guides: guides.length, search })}
      </p>
      <nav class="contents" aria-label="On this page">
        {['guides', ...groups.keys()].map((id) => (
          <Button key={id} name={id} class="quiet" onClick={() => showPart(id)} />
        ))}
      </nav>
      {guides.length > 0 && (
        <Section id="guides" title="Guides">
          {[...Map.groupBy(guides, (it) => readersOf(it.name))].map(([readers, some]) => (
            <Guides key={readers} of={some} readers={readers} />
          ))}
        </Section>
      )}
      {[...groups].map(([group, operations]) => (
        <Section key={group} id={group} title={group}>
          {operations.map((it) => (
            <OperationView key={it.id} operation={it} />
          ))}
        </Section>
      ))}
    </div>
  )
}

const showPart = (id: string) => document.getElementById(id)?.scrollIntoView()

type GuidesProps = { readonly of: readonly FoundGuide[]; readonly readers: string }

const Guides = ({ of, readers }: GuidesProps): JSX.Element => (
  <>
    <h3>{readers}</h3>
    <ul class="guides">
      {of.map(({ name, title, line }) => (
        <li key={name}>
          <a href={`/docs/guides/${name}`}>{title}</a>
          {line !== undefined && (
            <small class="hint">
              <Prose of={line} />
            </small>
          )}
        </li>
      ))}
    </ul>
  </>
)

type Results = { readonly routes: number; readonly guides: number; readonly search: string }

/** Describes how much of the reference a search finds, and what to try when that is nothing. */
export function describeResults({ routes, guides, search }: Results): string {
  return routes + guides === 0
    ? `Nothing matches “${search.trim()}”. A result has every word: try fewer words, or one such as “rent” or “restore”.`
    : `${count(routes, 'route')}, ${count(guides, 'guide')}`
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

/** Shows a guide. */
function Guide({ name }: { readonly name: string }): JSX.Element {
  useTitle(guideTitles[name] ?? 'Guide')
  const { last: blocks } = useAnswer(() => loadGuide(name).catch(() => []), [name])
  return (
    <>
      <p>
        <a href="/docs">← Reference and guides</a>
      </p>
      {blocks === undefined && <Loading what="Loading the guide" />}
      {blocks?.length === 0 && <h1>There is no such guide</h1>}
      {blocks !== undefined && blocks.length > 0 && (
        <article class="markdown guide">
          <Blocks of={blocks} />
        </article>
      )}
    </>
  )
}

async function loadGuide(name: string): Promise<readonly Block[]> {
  const text = await readGuide(name)
  const texts = text === undefined ? [] : [linkGuides(text, location.origin)]
  const [blocks = []] = texts.length === 0 ? [] : await parseInWorker(texts, 0)
  return blocks
}

const texts = import.meta.glob<string>('../../../../../docs/guides/*.md', {
  query: '?raw',
  import: 'default',
})

const nameOf = (path: string) => /([a-z-]+)\.md$/.exec(path)?.[1] ?? path

/** Returns the Markdown of a guide; `undefined` when there is none of that name. */
export async function readGuide(name: string): Promise<string | undefined> {
  const found = Object.entries(texts).find(([path]) => nameOf(path) === name)
  return found === undefined ? undefined : found[1]()
}

/** Returns the Markdown of a guide with links to other guides that lead to them in this page. */
export const linkGuides = (text: string, origin: string): string =>
  text.replace(/\]\(([a-z-]+)\.md(?:#[^)]*)?\)/g, (link, name: string) =>
    Object.hasOwn(guideTitles, name) ? `](${origin}/docs/guides/${name})` : link,
  )

/** A guide that a search finds, and the first line that has one of its words. */
export type FoundGuide = { readonly name: string; readonly title: string; readonly line?: string }

/** Finds the guides that have every word of a search in their title or their text. */
export async function findGuides(search: string): Promise<readonly FoundGuide[]> {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const all = Object.entries(guideTitles).map(async ([name, title]) => {
    if (words.length === 0) return { name, title }
    const text = (await readGuide(name)) ?? ''
    const whole = `${title} ${text}`.toLowerCase()
    return words.every((word) => whole.includes(word))
      ? { name, title, ...lineOf(text, words) }
      : undefined
  })
  return (await Promise.all(all)).filter((it) => it !== undefined)
}

/** The longest line that is shown of a guide, in characters. */
const longestLine = 160

function lineOf(text: string, words: readonly string[]): { readonly line?: string } {
  const line = text
    .split('\n')
    .filter((it) => !/^(#|```)/.test(it))
    .map(toProse)
    .find((it) => words.some((word) => it.toLowerCase().includes(word)))
  return line === undefined ? {} : { line: cutLine(line) }
}

/** Returns a line of Markdown as prose: without the marks of lists, tables, links and stress. */
const toProse = (line: string): string =>
  line
    .replace(/^\s*([-*>]|\d+\.)\s+/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .replace(/^\|(.*)\|$/, (_, row: string) => row.replace(/\s+\|\s+/g, ' · '))
    .trim()

/** Cuts a long line, and leaves out a backtick whose pair is cut off. */
function cutLine(line: string): string {
  const characters = [...line]
  if (characters.length <= longestLine) return line
  const cut = `${characters.slice(0, longestLine - 1).join('')}…`
  const isPaired = cut.split('`').length % 2 === 1
  return isPaired ? cut : cut.replace(/`([^`]*)$/, '$1')
}
