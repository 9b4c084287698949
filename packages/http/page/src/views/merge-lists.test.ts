import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeLists, mostReread } from './merge-lists.ts'

const ids = fc.uniqueArray(fc.nat().map(String), { maxLength: 2 * mostReread })
const listOf = (all: readonly string[], next: string | null) => ({
  items: all.map((tokenId) => ({ tokenId })),
  next,
})

test('shows each item once, with the new beginning first and the rest in its order', () => {
  fc.assert(
    fc.property(ids, ids, (before, all) => {
      const beginning = all.slice(0, mostReread)
      const merged = mergeLists(listOf(before, 'old'), listOf(beginning, 'new'))
      const shown = merged.items.map(({ tokenId }) => tokenId)
      expect(shown.slice(0, beginning.length)).toEqual(beginning)
      expect(new Set(shown).size).toBe(shown.length)
      const isLong = before.length > mostReread
      expect(merged.next).toBe(isLong ? 'old' : 'new')
      const rest = before.slice(mostReread).filter((id) => !beginning.includes(id))
      expect(shown.slice(beginning.length)).toEqual(isLong ? rest : [])
    }),
  )
})
