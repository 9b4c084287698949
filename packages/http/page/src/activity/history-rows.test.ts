import fc from 'fast-check'
import { expect, test } from 'vitest'
import { historyRows } from './event-table.tsx'

const times = fc
  .array(fc.nat(50), { maxLength: 20 })
  .map((all) => all.toSorted((one, other) => one - other))

const eventsAt = (all: readonly number[]) =>
  all.map((time, at) => ({
    tokenId: '1',
    txHash: `0x${at}` as const,
    logIndex: 0,
    timestamp: `${time}`,
  }))

test('the erasure of a memory follows all events until then, and is followed by all others', () => {
  fc.assert(
    fc.property(times, fc.nat(50), fc.boolean(), (all, erased, isWhole) => {
      const rows = historyRows({ events: eventsAt(all), isWhole, erasedAt: `${erased}` })
      const shown = rows.map((row) => ('erasedAt' in row ? 'erased' : row.events[0]?.timestamp))
      const before = all.filter((at) => at <= erased).map(String)
      const after = all.filter((at) => at > erased).map(String)
      const isShown = isWhole || after.length > 0
      expect(shown).toEqual([...before, ...(isShown ? ['erased'] : []), ...after])
    }),
  )
})

test('a memory that was not erased has the rows of its events', () => {
  const rows = historyRows({ events: eventsAt([3, 5]), isWhole: true, erasedAt: null })
  expect(rows.map(({ key }) => key)).toEqual(['0x0 1', '0x1 1'])
})
