import { previewNode, showInLine } from './preview-node.ts'
import {
  firstChildren,
  formatPath,
  isBranch,
  isMember,
  kindOfNode,
  type NodeKind,
  stepsTo,
  stringOfNode,
  type TreeDocument,
} from './tree-nodes.ts'
import type { TreeRow } from './tree-rows.ts'

/** A row of the tree as it is shown. */
export type RowView = {
  readonly row: number
  readonly node: number
  readonly depth: number
  /** The name or index of the value, or its path when it is a result; the document has none. */
  readonly label: string | undefined
  readonly kind: NodeKind
  readonly preview: string
  /** Whether it has something inside. */
  readonly isBranch: boolean
  readonly isOpen: boolean
  /** Its place among its siblings, from 1. */
  readonly position: number
  readonly setSize: number
}

/** Describes a row for display; the first rows are results when `isResult` says so. */
export function viewRow(
  document: TreeDocument,
  { node, route, isOpen, setSize }: TreeRow,
  { row, isResult }: { readonly row: number; readonly isResult: boolean },
): RowView {
  const depth = route.length - 1
  const index = route.at(-1) ?? 0
  return {
    row,
    node,
    depth,
    label: depth > 0 ? labelOf(document, node, index) : resultLabel(document, node, isResult),
    kind: kindOfNode(document, node),
    preview: previewNode(document, node),
    isBranch: isBranch(document, node) && firstChildren(document, node, 1).length > 0,
    isOpen,
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
