import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Page } from '../../../src/client/responses.ts'
import { addTokens, pageSize, readBeginning, readNextPage } from './use-pages.ts'

type List = Page<{ readonly tokenId: string }>

/** The numbers of a list in its order, whose end is a cursor. */
const numbers = fc
  .uniqueArray(fc.nat(999), { maxLength: 300, size: 'max' })
  .map((all) => all.toSorted(byNumber))
const byNumber = (one: number, other: number) => one - other

const readPage = (all: readonly number[], limit: number, after = ''): List => {
  const rest = all.filter((it) => after === '' || it > Number(after))
  const items = rest.slice(0, limit).map((it) => ({ tokenId: `${it}` }))
  return { items, next: rest.length > limit ? (items.at(-1)?.tokenId ?? null) : null }
}

const numbersOf = ({ items }: List) => items.map(({ tokenId }) => Number(tokenId))

describe('a list that changes', () => {
  test('is read again as far as it was loaded, and goes on without a gap', async () => {
    await fc.assert(
      fc.asyncProperty(numbers, fc.nat(300), async (all, loaded) => {
        let list: List = await readBeginning(loaded, async (...part) => readPage(all, ...part))
        expect(list.items.length).toBeGreaterThanOrEqual(Math.min(loaded, all.length))
        expect(list.items.length).toBeLessThanOrEqual(Math.max(loaded, pageSize))
        while (list.next !== null) list = addTokens(list, readPage(all, pageSize, list.next))
        expect(numbersOf(list)).toEqual(all)
      }),
    )
  })

  test('loses nothing when it is read again while its next page is read', async () => {
    await fc.assert(
      fc.asyncProperty(
        numbers,
        numbers,
        fc.integer({ min: 1, max: 120 }),
        async (all, added, loaded) => {
          fc.pre(loaded < all.length)
          const changed = [...new Set([...all, ...added])].toSorted(byNumber)
          let list = readPage(all, loaded)
          const page = await readNextPage(
            () => list,
            async (after) => {
              const read = readPage(changed, pageSize, after)
              list = readPage(changed, Math.max(pageSize, loaded))
              return read
            },
          )
          const shown = page === undefined ? list : addTokens(list, page)
          expect(numbersOf(shown)).toEqual(changed.slice(0, shown.items.length))
        },
      ),
    )
  })

  test('shows a token once that moved while its pages were read', () => {
    const before = { items: [{ tokenId: '1' }, { tokenId: '2' }], next: '2' }
    const page = { items: [{ tokenId: '1' }, { tokenId: '3' }], next: null }
    expect(numbersOf(addTokens(before, page))).toEqual([1, 2, 3])
  })
})
