import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Earning, Event } from '../../../src/client/responses.ts'
import {
  type EarningsRow,
  earningKinds,
  earningsCsv,
  fillMonths,
  monthOf,
  readSome,
  spendingsIn,
  sumByMemory,
  sumByMonth,
} from './sum-earnings.ts'

const arbitraryEarning: fc.Arbitrary<Earning> = fc
  .record({
    kind: fc.constantFrom(...earningKinds),
    currency: fc.constantFrom('native' as const, 'dollar' as const),
    amount: fc.bigInt({ min: 1n, max: 10n ** 24n }).map(String),
    tokenId: fc.integer({ min: 1, max: 4 }).map(String),
    timestamp: fc.integer({ min: 0, max: 4_000_000_000 }).map(String),
  })
  .map((it) => ({ ...it, event: '1-0-ab', txHash: '0x12' as const }))

const totalOf = (all: readonly Earning[], currency: string) =>
  all.filter((it) => it.currency === currency).reduce((sum, { amount }) => sum + BigInt(amount), 0n)

/** Expects rows whose sums are whole, each with a key of its own. */
function expectWhole(rows: readonly EarningsRow[], total: bigint): void {
  expect(rows.reduce((sum, row) => sum + row.sums.total, 0n)).toBe(total)
  const inKinds = rows.map(({ sums }) => earningKinds.reduce((sum, kind) => sum + sums[kind], 0n))
  expect(inKinds).toEqual(rows.map(({ sums }) => sums.total))
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
}

/** Returns the number of a month among all months. */
const numberOf = (month = '') => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return 12 * year + number
}

describe('sums of earnings', () => {
  test('by month and by memory add up to all of it, in each currency', () =>
    fc.assert(
      fc.property(fc.array(arbitraryEarning), (all) => {
        for (const currency of ['native', 'dollar'] as const) {
          for (const sumBy of [sumByMonth, sumByMemory]) {
            expectWhole(sumBy(all, currency), totalOf(all, currency))
          }
        }
      }),
    ))

  test('have each month once between the first and the last', () =>
    fc.assert(
      fc.property(fc.array(arbitraryEarning, { minLength: 1 }), (all) => {
        const rows = sumByMonth(all, 'native')
        const filled = fillMonths(rows)
        expect(filled.filter(({ sums }) => sums.total > 0n)).toEqual(rows.toReversed())
        const numbers = filled.map(({ key }) => numberOf(key))
        expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at))
      }),
    ))
})

describe('the CSV of earnings', () => {
  const earning: Earning = {
    kind: 'sales',
    currency: 'native',
    amount: '1500000000000000000',
    tokenId: '7',
    event: '12-3-9f86d081',
    txHash: '0xab',
    timestamp: '1767225600',
  }
  const inCurrency = (symbol: string) => earningsCsv([earning], () => ({ decimals: 18, symbol }))

  test('has a heading, exact amounts and lines that end as RFC 4180 says', () => {
    expect(inCurrency('ETH')).toBe(
      'time,kind,memory,amount,currency,transaction,event\r\n' +
        '2026-01-01T00:00:00.000Z,sales,7,1.5,ETH,0xab,12-3-9f86d081\r\n',
    )
  })

  test.each([
    ['a comma', 'A,B', '"A,B"'],
    ['a quote', 'A"B', '"A""B"'],
    ['a formula', '=1+1', "'=1+1"],
  ])('keeps a symbol with %s a text', (_, symbol, written) => {
    expect(inCurrency(symbol)).toContain(`,1.5,${written},0xab,`)
  })
})

describe('what an account paid', () => {
  const me = `0x${'aB'.repeat(20)}` as const
  const other = `0x${'12'.repeat(20)}` as const
  const place = { block: '1', logIndex: 0, timestamp: '1767225600', tokenId: '7' }
  const of = (it: object, txHash: string) => ({ ...place, id: txHash, txHash, ...it }) as Event

  test('is each price, and each royalty that is no part of one', () => {
    const all = [
      of({ kind: 'sale', buyer: me.toLowerCase(), price: '5' }, '0x1'),
      of({ kind: 'royalty', from: me, to: other, amount: '1' }, '0x1'),
      of({ kind: 'royalty', from: me, to: other, amount: '2' }, '0x2'),
      of({ kind: 'dollar-rental', payer: me, renter: other, paid: '30' }, '0x3'),
      of({ kind: 'dollar-fork', payer: other, recipient: me, price: '40' }, '0x4'),
      of({ kind: 'transfer', from: other, to: me }, '0x5'),
    ]
    const paid = spendingsIn(all, me)
    expect(paid.map(({ kind, currency, amount }) => [kind, currency, amount])).toEqual([
      ['sales', 'native', '5'],
      ['royalties', 'native', '2'],
      ['rentals', 'dollar', '30'],
    ])
    expect(new Set(paid.map(monthOf))).toEqual(new Set(['2026-01']))
  })

  test('is read page by page, as far as it is needed', async () => {
    const read = async (after: string) => {
      const at = Number(after)
      return { items: [at, at + 0.5], next: at === 3 ? null : `${at + 1}` }
    }
    expect(await readSome(read, { most: 9 })).toEqual({
      items: [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5],
      isCut: false,
    })
    expect(await readSome(read, { most: 1 })).toEqual({ items: [0, 0.5], isCut: true })
    const goesOn = (last: number) => last < 1
    expect(await readSome(read, { most: 9, goesOn })).toEqual({
      items: [0, 0.5, 1, 1.5],
      isCut: false,
    })
  })
})
