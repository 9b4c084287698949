import { expect, test } from 'vitest'
import { ether } from '../text/amount.ts'
import { describeChart, describeOnlyPrice } from './price-history.tsx'

const price = 25n * 10n ** 16n
const noon = new Date(2026, 10, 21, 12).getTime() / 1000
const offer = { at: noon, price }
const end = { at: noon + 86_400, price: 0n }

test.each([
  [
    'sale',
    { requested: [offer], paid: [] },
    'Asking price: 0.25 ETH, unchanged since 21 Nov 2026.',
  ],
  [
    'rent',
    { requested: [offer, end], paid: [offer] },
    'Asking price: 0.25 ETH per day, until 22 Nov 2026; 1 rental.',
  ],
  ['rent', { requested: [], paid: [offer, offer] }, 'Paid: 0.25 ETH per day; 2 rentals.'],
  ['fork', { requested: [], paid: [offer, offer] }, 'Paid: 0.25 ETH per fork; 2 forks.'],
] as const)('one price of a %s is a sentence', (kind, prices, words) => {
  expect(describeOnlyPrice(price, prices, { kind, currency: ether })).toBe(words)
})

test.each([
  ['sale', { requested: [offer, end], paid: [] }, 'Line: asking price.'],
  ['sale', { requested: [offer], paid: [offer] }, 'Line: asking price. ● 1 sale.'],
  ['rent', { requested: [], paid: [offer, offer] }, '○ 2 rentals.'],
  ['fork', { requested: [offer], paid: [offer] }, 'Line: asking price per fork. ○ 1 fork.'],
] as const)('the legend of a chart of a %s names what it shows', (kind, prices, words) => {
  expect(describeChart(kind, prices)).toBe(words)
})
