import fc from 'fast-check'
import { expect, test } from 'vitest'
import { historyRows } from './event-table.tsx'

const times = fc
  .array(fc.nat(50), { maxLength: 20 })
  .map((all) => all.toSorted((one, other) => other - one))

const eventsAt = (all: readonly number[]) =>
  all.map((time, at) => ({
    tokenId: '1',
    txHash: `0x${at}` as const,
    logIndex: 0,
    kind: 'listing' as const,
    timestamp: `${time}`,
  }))

test('the erasure of a memory comes after all later events, and before all others', () => {
  fc.assert(
    fc.property(times, fc.nat(50), fc.boolean(), (all, erased, isWhole) => {
      const rows = historyRows({ events: eventsAt(all), isWhole, erasedAt: `${erased}` })
      const shown = rows.map((row) => ('erasedAt' in row ? 'erased' : row.events[0]?.timestamp))
      const before = all.filter((at) => at <= erased).map(String)
      const after = all.filter((at) => at > erased).map(String)
      const isShown = isWhole || before.length > 0
      expect(shown).toEqual([...after, ...(isShown ? ['erased'] : []), ...before])
    }),
  )
})

test('a memory that was not erased has the rows of its events', () => {
  const rows = historyRows({ events: eventsAt([5, 3]), isWhole: true, erasedAt: null })
  expect(rows.map(({ key }) => key)).toEqual(['0x0 1', '0x1 1'])
})

test('a transfer that a sale or a mint of the same transaction says has no row of its own', () => {
  const [first, second] = eventsAt([5, 5]) as [Placed, Placed]
  const events = (kind: 'sale' | 'royalty', txHash: `0x${string}`) => [
    { ...first, kind },
    { ...second, kind: 'transfer' as const, txHash, logIndex: 1 },
  ]
  const kindsOf = (all: ReturnType<typeof events>) =>
    historyRows({ events: all, isWhole: true, erasedAt: null }).map((row) =>
      'events' in row ? row.events.map(({ kind }) => kind) : [],
    )
  expect(kindsOf(events('sale', first.txHash))).toEqual([['sale']])
  expect(kindsOf(events('royalty', first.txHash))).toEqual([['royalty', 'transfer']])
  expect(kindsOf(events('sale', second.txHash))).toEqual([['sale'], ['transfer']])
})

type Placed = ReturnType<typeof eventsAt>[number]
