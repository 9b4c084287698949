import {
  firstChildren,
  formatPath,
  isBranch,
  isMember,
  kindOfNode,
  stepsTo,
  stringOfNode,
  type TreeDocument,
} from './tree-nodes.ts'
import type { TreeRow } from './tree-rows.ts'

/** The most characters of a preview. */
const mostCharacters = 120

/** The most members of an object or a list in a preview. */
const mostMembers = 6

// Characters that show as nothing, or change how the text around them is shown.
const misleading = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Returns a text on one line, with escapes for characters that are not seen. */
export const showInLine = (text: string): string =>
  text.replace(misleading, (it) =>
    it === '\n' ? '⏎' : it === '\u{200D}' ? it : `\\u{${it.codePointAt(0)?.toString(16)}}`,
  )

/** Returns the beginning of a string node, without reading the rest of it. */
export function stringStart(document: TreeDocument, node: number, most: number): string {
  const { text, starts, ends } = document.tape
  const [start, end] = [(starts[node] ?? 0) + 1, (ends[node] ?? 1) - 1]
  // An escape takes six code units at the most.
  const raw = text.slice(start, Math.min(end, start + 6 * most))
  if (!raw.includes('\\')) return withoutHalf(raw.slice(0, most))
  return withoutHalf((JSON.parse(`"${withoutCutEscape(raw)}"`) as string).slice(0, most))
}

/** Removes an escape that was cut at the end. */
function withoutCutEscape(raw: string): string {
  const cut = /\\u[0-9a-f]{0,3}$|\\$/i.exec(raw)
  if (cut === null) return raw
  const backslashes = /\\*$/.exec(raw.slice(0, cut.index + 1))?.[0].length ?? 0
  return backslashes % 2 === 1 ? raw.slice(0, cut.index) : raw
}

/** Removes a first half of a surrogate pair at the end. */
const withoutHalf = (text: string): string => text.replace(/[\uD800-\uDBFF]$/, '')

/** Returns a preview of a node on one line: a scalar, or the first members of a branch. */
export function previewNode(document: TreeDocument, node: number): string {
  const kind = kindOfNode(document, node)
  if (kind === 'object' || kind === 'array') return cut(previewMembers(document, node, kind))
  return previewScalar(document, node, mostCharacters)
}

function previewScalar(document: TreeDocument, node: number, most: number): string {
  const { text, starts, ends } = document.tape
  const [start, end] = [starts[node] ?? 0, ends[node] ?? 0]
  if (kindOfNode(document, node) === 'word') {
    return end - start > most ? `${text.slice(start, start + most)}…` : text.slice(start, end)
  }
  const shown = stringStart(document, node, most)
  const isWhole = shown.length < most && end - start - 2 <= 6 * most
  return `“${showInLine(shown)}${isWhole ? '' : '…'}”`
}

function previewMembers(document: TreeDocument, node: number, kind: 'object' | 'array'): string {
  const children = firstChildren(document, node, mostMembers)
  const [before, after] = kind === 'object' ? ['{ ', ' }'] : ['[ ', ' ]']
  if (children.length === 0) return `${before.trim()}${after.trim()}`
  const shown = children.slice(0, mostMembers).map((child) => {
    const value = previewInner(document, child)
    return kind === 'object' ? `${previewName(document, child)}: ${value}` : value
  })
  const rest = children.length > mostMembers ? ', …' : ''
  return `${before}${shown.join(', ')}${rest}${after}`
}

const previewName = (document: TreeDocument, child: number): string =>
  showInLine(stringStart(document, child - 1, 30))

function previewInner(document: TreeDocument, child: number): string {
  const kind = kindOfNode(document, child)
  const isEmpty = firstChildren(document, child, 1).length === 0
  if (kind === 'object') return isEmpty ? '{}' : '{…}'
  if (kind === 'array') return isEmpty ? '[]' : '[…]'
  return previewScalar(document, child, 40)
}

const cut = (text: string): string =>
  text.length > mostCharacters ? `${withoutHalf(text.slice(0, mostCharacters))}…` : text

/** Returns a string node as text, cut to a length, and how much is left out. */
export function readText(
  document: TreeDocument,
  node: number,
  most: number,
): { readonly text: string; readonly left: number } {
  const raw = (document.tape.ends[node] ?? 0) - (document.tape.starts[node] ?? 0) - 2
  if (raw <= most) return { text: stringOfNode(document, node), left: 0 }
  const text = stringStart(document, node, most)
  return { text, left: Math.max(0, raw - text.length) }
}

/** A row of the tree as it is shown. */
export type RowView = Readonly<ReturnType<typeof viewRow>>

/** Describes a row for display; the first rows are results when `isResult` says so. */
export function viewRow(
  document: TreeDocument,
  { node, route, isOpen, setSize }: TreeRow,
  { row, isResult }: { readonly row: number; readonly isResult: boolean },
) {
  const depth = route.length - 1
  const index = route.at(-1) ?? 0
  return {
    row,
    node,
    depth,
    /** The name or index of the value, or its path when it is a result; the document has none. */
    label: depth > 0 ? labelOf(document, node, index) : resultLabel(document, node, isResult),
    kind: kindOfNode(document, node),
    preview: previewNode(document, node),
    /** Whether it has something inside. */
    isBranch: isBranch(document, node) && firstChildren(document, node, 1).length > 0,
    isOpen,
    /** Its place among its siblings, from 1. */
    position: index + 1,
    setSize,
  }
}

function labelOf(document: TreeDocument, node: number, index: number): string {
  if (!isMember(document, node)) return String(index)
  const name = stringOfNode(document, node - 1)
  return showInLine(name.length > 80 ? `${name.slice(0, 80)}…` : name)
}

const resultLabel = (document: TreeDocument, node: number, isResult: boolean) =>
  isResult ? showInLine(formatPath(stepsTo(document, node))) : undefined
