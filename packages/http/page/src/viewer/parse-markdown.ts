import type { Nodes, PhrasingContent, RootContent, TableRow } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** The deepest nesting that is shown; what is deeper is left out. */
const deepest = 24

/** The level of the heading above an opened memory. */
const levelInMemory = 2

/**
 * Parses Markdown (GitHub's) to blocks; HTML in it stays text, and front matter is a block of code.
 * Its headings are below those of a level.
 */
export function parseMarkdown(text: string, levelAbove = levelInMemory): readonly Block[] {
  const matter = findFrontMatter(text)
  const root = fromMarkdown(text.slice(matter?.end ?? 0), {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  })
  const outline = { level: levelAbove, above: levelAbove }
  const blocks = toBlocks(root.children, { depth: 0, outline })
  return matter === undefined ? blocks : [{ kind: 'code', text: matter.text }, ...blocks]
}

type FrontMatter = { readonly text: string; readonly end: number }

/** Finds YAML between lines of three dashes at the beginning, of which the first line names a value. */
function findFrontMatter(text: string): FrontMatter | undefined {
  const fence = /^\uFEFF?---[ \t]*\r?\n(?=[\w"'][^\n:]*:\s)/.exec(text)
  if (fence === null) return undefined
  const [{ length: start }] = fence
  const rest = text.slice(start)
  const close = /^(---|\.\.\.)[ \t]*\r?$/m.exec(rest)
  if (close === null) return undefined
  const end = start + close.index + close[0].length
  return { text: rest.slice(0, close.index).trimEnd(), end }
}

type Place = { readonly depth: number; readonly outline: Outline }

/** The level of the last heading, and the level above all of them. */
type Outline = { level: number; readonly above: number }

function toBlocks(nodes: readonly RootContent[], place: Place): readonly Block[] {
  if (place.depth > deepest) return []
  const inside = { ...place, depth: place.depth + 1 }
  return nodes.flatMap((node) => toBlock(node, inside) ?? [])
}

function toBlock(node: RootContent, place: Place): Block | undefined {
  switch (node.type) {
    case 'heading':
      return { kind: 'heading', level: nextLevel(node.depth, place), inside: inlines(node) }
    case 'paragraph':
      return { kind: 'paragraph', inside: inlines(node) }
    case 'code':
    case 'html':
      return { kind: 'code', text: node.value }
    case 'blockquote':
      return { kind: 'quote', inside: toBlocks(node.children, place) }
    case 'thematicBreak':
      return { kind: 'rule' }
    default:
      return toLargeBlock(node, place)
  }
}

function toLargeBlock(node: RootContent, place: Place): Block | undefined {
  if (node.type === 'table') {
    return { kind: 'table', align: node.align ?? [], rows: node.children.map(cellsOf) }
  }
  if (node.type === 'footnoteDefinition') {
    return { kind: 'quote', inside: toBlocks(node.children, place) }
  }
  if (node.type !== 'list') return undefined
  const start = node.ordered === true ? (node.start ?? 1) : undefined
  const items = node.children.map(
    ({ checked, children }): Item => ({
      isDone: checked ?? undefined,
      inside: toBlocks(children, place),
    }),
  )
  return { kind: 'list', start, items }
}

const cellsOf = ({ children }: TableRow) => children.map(inlines)

/** Returns the level of a heading, of which none is left out for readers who move by headings. */
function nextLevel(depth: number, { outline }: Place): number {
  outline.level = Math.min(6, outline.level + 1, outline.above + depth)
  return outline.level
}

type Parent = { readonly children: readonly PhrasingContent[] }

const inlines = ({ children }: Parent, depth = 0): readonly Inline[] =>
  depth > deepest ? [] : children.map((it) => toInline(it, depth + 1))

function toInline(node: PhrasingContent, depth: number): Inline {
  switch (node.type) {
    case 'text':
    case 'html':
      return node.value
    case 'inlineCode':
      return { kind: 'code', text: node.value }
    case 'break':
      return { kind: 'break' }
    case 'emphasis':
    case 'strong':
    case 'delete':
      return { kind: node.type, inside: inlines(node, depth) }
    default:
      return toReference(node, depth)
  }
}

function toReference(node: PhrasingContent, depth: number): Inline {
  if (node.type === 'link') return toLink(node.url, inlines(node, depth))
  if (node.type === 'image') return { kind: 'image', alt: node.alt ?? '', address: node.url }
  return 'children' in node ? toLink('', inlines(node as Parent & Nodes, depth)) : ''
}

/** Only addresses of the web, and of mail, lead anywhere. */
function toLink(url: string, inside: readonly Inline[]): Inline {
  return /^(https?:\/\/|mailto:)/i.test(url)
    ? { kind: 'link', href: url, inside }
    : { kind: 'link', inside }
}

/** A piece of text inside a block of Markdown. */
export type Inline =
  | string
  | { readonly kind: 'emphasis' | 'strong' | 'delete'; readonly inside: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'break' }
  /** A link without an address leads to no page of the web. */
  | { readonly kind: 'link'; readonly href?: string; readonly inside: readonly Inline[] }
  | { readonly kind: 'image'; readonly alt: string; readonly address: string }

/** An item of a list; `isDone` is that of a task. */
type Item = { readonly isDone: boolean | undefined; readonly inside: readonly Block[] }

/** A block of Markdown. It has no markup: what is shown is built from it. */
export type Block =
  | { readonly kind: 'paragraph'; readonly inside: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly inside: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly inside: readonly Block[] }
  | { readonly kind: 'list'; readonly start: number | undefined; readonly items: readonly Item[] }
  | {
      readonly kind: 'table'
      /** The sides at which the columns are set; none where the text names none. */
      readonly align: readonly ('left' | 'right' | 'center' | null)[]
      readonly rows: readonly (readonly (readonly Inline[])[])[]
    }
  | { readonly kind: 'rule' }
