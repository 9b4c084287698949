import { Fragment } from 'preact'
import { useAnswer } from '../api/use-answer.ts'
import { CopyButton } from '../parts/copyable.tsx'
import { Loading } from '../parts/lazy.tsx'
import { Sample } from '../parts/table.tsx'
import { Rest } from '../parts/user-text.tsx'
import { inWorker } from '../worker-calls.ts'
import type { MarkdownHandlers } from './markdown-worker.ts'
import type { Block, Inline } from './parse-markdown.ts'
import type { ViewerCalls } from './use-viewer.ts'

type Props = { readonly calls: ViewerCalls; readonly node: number; readonly find: string }

type State = {
  readonly text: string
  readonly left: number
  readonly blocks?: readonly Block[]
  readonly problem?: string
}

/** Shows a text as Markdown, and as it is written when it cannot be parsed in time. */
export function MarkdownText({ calls, node, find }: Props): JSX.Element {
  const { last: state } = useAnswer(() => readMarkdown(calls, node), [node])
  if (state === undefined) return <Loading what="Reading the text" />
  const { text, left, blocks, problem } = state
  return (
    <>
      {problem !== undefined && <p role="alert">{problem}</p>}
      {blocks === undefined ? (
        <Sample text={text} name="The text" />
      ) : (
        <article class="markdown" dir="auto">
          <Blocks of={blocks.filter((it) => hasText(it, find))} />
        </article>
      )}
      <Rest of={left} />
    </>
  )
}

/** Returns whether a block has a text, whatever its case. */
const hasText = (block: Block, find: string): boolean =>
  find === '' || JSON.stringify(block).toLowerCase().includes(find.toLowerCase())

async function readMarkdown(calls: ViewerCalls, node: number): Promise<State> {
  const read = await calls.text({ node, most: longestMarkdown })
  try {
    const [blocks = []] = await parseInWorker([read.text])
    return { ...read, blocks }
  } catch (error) {
    return { ...read, problem: error instanceof Error ? error.message : String(error) }
  }
}

/** Shows blocks of Markdown. Nothing in them becomes markup, and nothing is loaded. */
export function Blocks({ of }: { readonly of: readonly Block[] }): JSX.Element {
  return (
    <>
      {of.map((block, at) => (
        <BlockView key={at} of={block} />
      ))}
    </>
  )
}

function BlockView({ of }: { readonly of: Block }): JSX.Element {
  switch (of.kind) {
    case 'heading': {
      const Heading = `h${of.level}` as 'h4'
      return (
        <Heading>
          <Inlines of={of.inside} />
        </Heading>
      )
    }
    case 'paragraph':
      return (
        <p>
          <Inlines of={of.inside} />
        </p>
      )
    case 'code':
      return (
        <>
          <pre class="code" dir="auto">
            {of.text}
          </pre>
          <p>
            <CopyButton name="Copy" what="code" read={() => of.text} />
          </p>
        </>
      )
    case 'rule':
      return <hr />
    default:
      return <LargeBlock of={of} />
  }
}

type Large = Extract<Block, { readonly kind: 'quote' | 'list' | 'table' }>

function LargeBlock({ of }: { readonly of: Large }): JSX.Element {
  if (of.kind === 'table') return <MarkdownTable of={of} />
  if (of.kind === 'quote') {
    return (
      <blockquote>
        <Blocks of={of.inside} />
      </blockquote>
    )
  }
  const items = of.items.map(({ isDone, inside }, at) => (
    <li key={at}>
      {isDone !== undefined && <span class="task">{isDone ? '☑' : '☐'}</span>}
      <Blocks of={inside} />
    </li>
  ))
  return of.start === undefined ? <ul>{items}</ul> : <ol start={of.start}>{items}</ol>
}

type TableProps = { readonly of: Extract<Large, { readonly kind: 'table' }> }

function MarkdownTable({ of: { align, rows } }: TableProps): JSX.Element {
  const [head = [], ...others] = rows
  return (
    // A text may have many tables, of which none is a landmark.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls needs the focus for the arrow keys.
    <div class="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, at) => (
              <th key={at} scope="col" class={align[at] ?? undefined}>
                <Inlines of={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {others.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, at) => (
                <td key={at} class={align[at] ?? undefined}>
                  <Inlines of={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Inlines({ of }: { readonly of: readonly Inline[] }): JSX.Element {
  return (
    <>
      {of.map((it, at) => (
        <Fragment key={at}>{typeof it === 'string' ? it : <InlineView of={it} />}</Fragment>
      ))}
    </>
  )
}

const tags = { emphasis: 'em', strong: 'strong', delete: 's' } as const

function InlineView({ of }: { readonly of: Exclude<Inline, string> }): JSX.Element {
  switch (of.kind) {
    case 'code':
      return <code>{of.text}</code>
    case 'break':
      return <br />
    case 'image':
      return (
        <span class="image">
          [Image{of.alt !== '' && `: ${of.alt}`}, <span class="wrap">{of.address}</span>]
        </span>
      )
    case 'link':
      return <Link of={of} />
    default: {
      const Tag = tags[of.kind]
      return (
        <Tag>
          <Inlines of={of.inside} />
        </Tag>
      )
    }
  }
}

/** Shows a link with the host it leads to, so that its text cannot pretend another one. */
function Link({ of }: { readonly of: Extract<Inline, { readonly kind: 'link' }> }) {
  const { href, inside } = of
  if (href === undefined) return <Inlines of={inside} />
  if (isGuide(href)) {
    return (
      <a href={href}>
        <Inlines of={inside} />
      </a>
    )
  }
  return (
    <>
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        referrerpolicy="no-referrer"
      >
        <Inlines of={inside} />
      </a>{' '}
      <small class="host">({hostOf(href)})</small>
    </>
  )
}

const isGuide = (href: string) => href.startsWith(`${location.origin}/docs/guides/`)

function hostOf(href: string): string {
  const url = URL.parse(href)
  return url === null ? href : url.host || url.pathname
}

/** The longest text that is shown as Markdown, in UTF-16 code units. */
const longestMarkdown = 200_000

/** Some texts are made to be parsed for ever. */
const inParser = inWorker<MarkdownHandlers>({
  start: () => new Worker(new URL('./markdown-worker.ts', import.meta.url), { type: 'module' }),
  limit: 5_000,
  tooLong: 'This text takes too long to parse as Markdown.',
})

/**
 * Parses Markdown texts in a worker.
 *
 * @throws {WorkerFailure} when that takes too long
 */
export const parseInWorker = (texts: readonly string[], levelAbove?: number) =>
  inParser((calls) => calls.parse({ texts, levelAbove }))
