import {
  childrenOfNode,
  isBranch,
  lastAtMost,
  type Route,
  routeTo,
  type TreeDocument,
} from './tree-nodes.ts'

/** A visible row of a tree: a node, and the way to it. */
export type TreeRow = {
  readonly node: number
  /** The children that lead to it from the root of the rows, as indexes. */
  readonly route: Route
  readonly isOpen: boolean
  /** The number of its siblings, itself included. */
  readonly setSize: number
}

/** Children that are shown, and those of them whose children are shown too. */
type Opened = {
  readonly children: ArrayLike<number>
  readonly inside: Map<number, Opened>
  /** The number of rows: the children, and all rows inside them. */
  rows: number
  /** The opened children in their order, and the row of each; absent until they are needed again. */
  places: Places | undefined
}

type Places = { readonly indexes: readonly number[]; readonly rows: readonly number[] }

const open = (children: ArrayLike<number>): Opened => ({
  children,
  inside: new Map(),
  rows: children.length,
  places: undefined,
})

/** The most nodes that are expanded at once. */
export const mostExpanded = 200_000

/** The visible rows of a tree, of which any stretch is found without visiting the others. */
export type TreeRows = Readonly<ReturnType<typeof treeRows>>

/** Shows some nodes of a document as the roots of a tree, of which the first levels are expanded. */
export function treeRows(document: TreeDocument, roots: ArrayLike<number>, levels: number) {
  let top = open(roots)
  const setOpen = (route: Route, isOpen: boolean) => setOpenAt(document, top, route, isOpen)
  const collapseAll = () => {
    top = open(roots)
  }
  const expandAll = () => {
    collapseAll()
    const budget = { left: mostExpanded, mostChildren: Infinity }
    expandLevels(document, top, Infinity, budget)
    return budget.left === 0
  }
  expandLevels(document, top, levels, { left: mostExpanded, mostChildren: 100 })
  return {
    count: () => top.rows,
    slice: (from: number, to: number) => sliceRows(top, from, Math.min(to, top.rows)),
    /** Expands or collapses the node that a route leads to. */
    setOpen,
    /** Expands all nodes, as many as are allowed; returns whether some were left. */
    expandAll,
    collapseAll,
    /** Expands what is around a node, and returns its row; `undefined` when it is in none of the roots. */
    reveal: (node: number) => {
      const route = routeFrom(document, roots, node)
      if (route === undefined) return undefined
      for (let length = 1; length < route.length; length++) setOpen(route.slice(0, length), true)
      return rowOf(top, route)
    },
    /** Returns the row of a node that is visible. */
    rowOf: (route: Route) => rowOf(top, route),
  }
}

function sliceRows(top: Opened, from: number, to: number): readonly TreeRow[] {
  const rows: TreeRow[] = []
  for (let row = Math.max(0, from); row < to; row++) rows.push(findRow(top, row))
  return rows
}

function findRow(top: Opened, row: number): TreeRow {
  const route: number[] = []
  let [opened, left] = [top, row]
  for (;;) {
    const place = placeIn(opened, left)
    route.push(place.index)
    const inside = opened.inside.get(place.index)
    if (inside === undefined || place.below === 0) {
      const node = opened.children[place.index] as number
      return { node, route, isOpen: inside !== undefined, setSize: opened.children.length }
    }
    ;[opened, left] = [inside, place.below - 1]
  }
}

/** Returns the child that a row belongs to, and how far below the row of that child it is. */
function placeIn(opened: Opened, row: number): { readonly index: number; readonly below: number } {
  const { indexes, rows } = placesOf(opened)
  const nth = lastAtMost(rows, row)
  const [index, first] = [indexes[nth], rows[nth]]
  if (index === undefined || first === undefined) return { index: row, below: 0 }
  const below = row - first
  const inside = opened.inside.get(index)?.rows ?? 0
  return below <= inside ? { index, below } : { index: index + below - inside, below: 0 }
}

function placesOf(opened: Opened): Places {
  if (opened.places !== undefined) return opened.places
  const indexes = [...opened.inside.keys()].sort((one, other) => one - other)
  const rows: number[] = []
  let before = 0
  for (const index of indexes) {
    rows.push(index + before)
    before += opened.inside.get(index)?.rows ?? 0
  }
  opened.places = { indexes, rows }
  return opened.places
}

function rowOf(top: Opened, route: Route): number {
  let [row, opened] = [-1, top as Opened | undefined]
  for (const index of route) {
    if (opened === undefined) break
    row += 1 + rowOfChild(opened, index)
    opened = opened.inside.get(index)
  }
  return row
}

/** Returns the row of a child among the rows of its siblings. */
function rowOfChild(opened: Opened, index: number): number {
  const { indexes, rows } = placesOf(opened)
  const nth = lastAtMost(indexes, index)
  const [last, first] = [indexes[nth], rows[nth]]
  if (last === undefined || first === undefined) return index
  if (last === index) return first
  return first + (opened.inside.get(last)?.rows ?? 0) + index - last
}

function setOpenAt(document: TreeDocument, top: Opened, route: Route, isOpen: boolean): void {
  const above: Opened[] = [top]
  for (const index of route.slice(0, -1)) {
    const inside = above.at(-1)?.inside.get(index)
    if (inside === undefined) return
    above.push(inside)
  }
  const parent = above.at(-1) as Opened
  const index = route.at(-1) as number
  const node = parent.children[index]
  const known = parent.inside.get(index)
  if (node === undefined || isOpen === (known !== undefined) || !isBranch(document, node)) return
  const change = known === undefined ? openChild(document, parent, index) : -known.rows
  if (known !== undefined) parent.inside.delete(index)
  for (const opened of above) {
    opened.rows += change
    opened.places = undefined
  }
}

/** Opens a child, and returns the number of new rows; those of its parents do not change yet. */
function openChild(document: TreeDocument, parent: Opened, index: number): number {
  const children = childrenOfNode(document, parent.children[index] as number)
  parent.inside.set(index, open(children))
  return children.length
}

/** Expands some levels in their order, until too many nodes are expanded. */
function expandLevels(
  document: TreeDocument,
  opened: Opened,
  levels: number,
  budget: Budget,
): void {
  const end = Math.min(opened.children.length, budget.mostChildren)
  for (let index = 0; levels > 0 && index < end && budget.left > 0; index++) {
    if (!isBranch(document, opened.children[index] as number)) continue
    budget.left -= 1
    openChild(document, opened, index)
    const inside = opened.inside.get(index) as Opened
    expandLevels(document, inside, levels - 1, budget)
    opened.rows += inside.rows
  }
}

type Budget = { left: number; readonly mostChildren: number }

function routeFrom(
  document: TreeDocument,
  roots: ArrayLike<number>,
  node: number,
): Route | undefined {
  for (let index = 0; index < roots.length; index++) {
    const root = roots[index] as number
    const isInside = node >= root && node < (document.tape.nexts[root] as number)
    if (isInside) return [index, ...routeTo(document, node, root)]
  }
  return undefined
}
