import fc from 'fast-check'
import { expect, test } from 'vitest'
import { childrenOfNode, isBranch, type Route, readTree, type TreeDocument } from './tree-nodes.ts'
import { type TreeRow, type TreeRows, treeRows } from './tree-rows.ts'

type Model = Set<string>

const keyOf = (route: Route) => route.join('/')

/** Lists the visible rows the plain way. */
function listRows(document: TreeDocument, open: Model): readonly Omit<TreeRow, 'isOpen'>[] {
  const visit = (children: ArrayLike<number>, above: Route): readonly Omit<TreeRow, 'isOpen'>[] =>
    Array.from(children).flatMap((node, index) => {
      const route = [...above, index]
      const inside = open.has(keyOf(route)) ? visit(childrenOfNode(document, node), route) : []
      return [{ node, route, setSize: children.length }, ...inside]
    })
  return visit([0], [])
}

const json = fc.json({ maxDepth: 4 })

/** Clicks a row, in the rows and in the model. */
function click(document: TreeDocument, rows: TreeRows, open: Model, at: number): void {
  const row = rows.slice(at, at + 1)[0] as TreeRow
  const key = keyOf(row.route)
  rows.setOpen(row.route, !row.isOpen)
  if (!row.isOpen && isBranch(document, row.node)) open.add(key)
  const inside = [...open].filter((it) => `${it}/`.startsWith(`${key}/`))
  if (row.isOpen) for (const it of inside) open.delete(it)
}

test('shows the same rows as a walk, after any clicks', () => {
  fc.assert(
    fc.property(json, fc.array(fc.nat(), { maxLength: 30 }), (text, clicks) => {
      const document = readTree(text)
      const rows = treeRows(document, [0], 0)
      const open: Model = new Set()
      for (const at of clicks) {
        click(document, rows, open, at % rows.count())
        const shown = rows.slice(0, rows.count())
        expect(shown.map(({ isOpen: _, ...it }) => it)).toEqual(listRows(document, open))
        expect(shown.map((it) => rows.rowOf(it.route))).toEqual(shown.map((_, row) => row))
      }
    }),
  )
})

test('expands everything, and reveals any node', () => {
  fc.assert(
    fc.property(json, fc.nat(), (text, chosen) => {
      const document = readTree(text)
      const whole = treeRows(document, [0], 0)
      expect(whole.expandAll()).toBe(false)
      const all = whole.slice(0, whole.count())
      const { node } = all[chosen % all.length] as TreeRow
      const rows = treeRows(document, [0], 0)
      const row = rows.reveal(node) as number
      expect(rows.slice(row, row + 1)[0]?.node).toBe(node)
    }),
  )
})

test('shows only some nodes of a document as roots', () => {
  const document = readTree('{"a":[1,{"b":2}],"c":3}')
  const [list, three] = childrenOfNode(document, 0)
  const rows = treeRows(document, [list as number, three as number], 1)
  expect(rows.slice(0, 10).map(({ route }) => route)).toEqual([[0], [0, 0], [0, 1], [1]])
  expect(rows.reveal(0)).toBeUndefined()
})
