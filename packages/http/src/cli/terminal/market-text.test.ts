import { expect, test } from 'vitest'
import { eventText } from './market-text.ts'

const common = {
  id: '2-0-a',
  tokenId: '1',
  block: '2',
  timestamp: '1767225600',
  logIndex: 0,
  txHash: `0x${'1'.repeat(64)}`,
  seller: '0xAda',
}
const textOf = (event: object) =>
  [eventText(event as never)]
    .flat()
    .map((part) => (typeof part === 'object' ? part.text : part))
    .join('')

test('an event says in words what happened', () => {
  const prices = { price: '5', rentalPricePerDay: '0', forkPrice: '0', forkRoyaltyBps: 250 }
  expect(textOf({ ...common, kind: 'listing', ...prices })).toBe(
    '2026-01-01 00:00:00 UTC  listing of token 1: seller 0xAda, price 0.000000000000000005 ether (5 wei), royalty of a fork 2.5 %',
  )
  const rental = { renter: '0xBen', paid: '1000000', expiresAt: '1767312000' }
  expect(textOf({ ...common, kind: 'dollar-rental', ...rental })).toContain(
    'dollar-rental of token 1: seller 0xAda, renter 0xBen, paid 1 USD, until 2026-01-02 00:00:00 UTC',
  )
})

test('a listing without an offer is the end of one', () => {
  const none = { price: '0', rentalPricePerDay: '0', forkPrice: '0', forkRoyaltyBps: 0 }
  for (const kind of ['listing', 'dollar-listing']) {
    expect(textOf({ ...common, kind, ...none })).toBe(
      '2026-01-01 00:00:00 UTC  end of the listing of token 1: seller 0xAda',
    )
  }
})
