import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Lineage, Relative } from '../../../src/client/responses.ts'
import { foldLineage, type LineageItem } from './fold-lineage.ts'
import { type Drawing, findNeighbour, layOutLineage } from './lay-out-lineage.ts'

/** Lists all tokens of a lineage, the oldest generation first. */
const listRelatives = ({ token, link, ancestors, descendants }: Lineage): readonly Relative[] => [
  ...ancestors.toReversed(),
  { token, link },
  ...descendants,
]

const relativeOf = (tokenId: number, parent: number) =>
  ({ token: { tokenId: `${tokenId}`, parent: `${parent}` }, link: 'fork' }) as unknown as Relative

/** A lineage with some ancestors, and the parents of its descendants as parts of those before. */
const arbitraryLineage = fc
  .record({
    ancestors: fc.nat(64),
    parents: fc.oneof(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 500 }),
      // Lines, in which each is the child of the one before, and fans.
      fc.array(fc.constantFrom<number[]>(1, 1, 1, 0), { maxLength: 500 }),
      fc.array(fc.constantFrom<number[]>(0, 0, 0.01), { maxLength: 500 }),
    ),
  })
  .map(({ ancestors, parents }): Lineage => {
    const here = ancestors + 1
    const lineage = {
      ...relativeOf(here, ancestors),
      ancestors: Array.from({ length: ancestors }, (_, at) =>
        relativeOf(ancestors - at, ancestors - at - 1),
      ),
      descendants: parents.map((share, at) =>
        relativeOf(here + 1 + at, here + Math.round(share * at)),
      ),
    }
    return lineage as unknown as Lineage
  })

const hiddenIn = (items: readonly LineageItem[]) =>
  items.reduce((sum, item) => sum + (item.kind === 'fold' ? item.hidden : 0), 0)
const tokensIn = (items: readonly LineageItem[]) => items.filter(({ kind }) => kind === 'token')

test('each token is shown or counted once, and few are shown at first', () =>
  fc.assert(
    fc.property(arbitraryLineage, (lineage) => {
      const items = foldLineage(lineage, new Set())
      const all = listRelatives(lineage).map(({ token }) => token.tokenId)
      const found = tokensIn(items).map(({ id }) => id)
      expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
      expect(all).toEqual(expect.arrayContaining(found))
      expect(found.length + hiddenIn(items)).toBe(all.length)
      expect(found).toContain(lineage.token.tokenId)
      expect(items.length).toBeLessThan(1000)
    }),
  ))

test('opening a sign shows the first token that it stands for, and opening all shows all', () =>
  fc.assert(
    fc.property(arbitraryLineage, fc.nat(), (lineage, choice) => {
      const opened = new Set<string>()
      for (;;) {
        const items = foldLineage(lineage, opened)
        const folds = items.filter((item) => item.kind === 'fold')
        const fold = folds[choice % Math.max(1, folds.length)]
        if (fold === undefined) break
        opened.add(fold.id)
        const after = foldLineage(lineage, opened)
        expect(tokensIn(after).map(({ id }) => id)).toContain(fold.first)
        expect(tokensIn(after).length + hiddenIn(after)).toBe(
          tokensIn(items).length + hiddenIn(items),
        )
      }
      expect(tokensIn(foldLineage(lineage, opened))).toHaveLength(listRelatives(lineage).length)
    }),
  ))

test('a sign stands for more than one token, and each item follows one that is shown', () =>
  fc.assert(
    fc.property(arbitraryLineage, (lineage) => {
      const seen = new Set<string>()
      for (const item of foldLineage(lineage, new Set())) {
        if (item.kind === 'fold') expect(item.hidden).toBeGreaterThan(0)
        expect(item.parent === undefined ? seen.size === 0 : seen.has(item.parent)).toBe(true)
        seen.add(item.id)
      }
    }),
  ))

/** Returns the items that arrow keys reach from one. */
function reachableFrom(drawing: Drawing, from: string, reached = new Set<string>()): Set<string> {
  if (reached.has(from)) return reached
  reached.add(from)
  for (const key of ['ArrowRight', 'ArrowDown']) {
    const next = findNeighbour(drawing, from, key)
    if (next !== undefined) reachableFrom(drawing, next, reached)
  }
  return reached
}

test('the arrow keys reach every item, and lead back', () =>
  fc.assert(
    fc.property(arbitraryLineage, (lineage) => {
      const drawing = layOutLineage(foldLineage(lineage, new Set()))
      const [first = '', ...others] = drawing.items.keys()
      expect(reachableFrom(drawing, first).size).toBe(1 + others.length)
      for (const id of others) {
        const back = ['ArrowLeft', 'ArrowUp'].map((key) => findNeighbour(drawing, id, key))
        expect(back).not.toEqual([undefined, undefined])
      }
    }),
  ))
