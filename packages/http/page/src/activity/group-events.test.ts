import { expect, test } from 'vitest'
import { groupEvents } from './event-table.tsx'

const event = (txHash: `0x${string}`, tokenId: string, logIndex: number) => ({
  txHash,
  tokenId,
  logIndex,
})

const mint = { key: '0x1 1', events: [event('0x1', '1', 0), event('0x1', '1', 1)] }
const sale = { key: '0x2 1', events: [event('0x2', '1', 3), event('0x2', '1', 4)] }

test('a mint and a sale are a group each, in the order in which they happened', () => {
  const all = [...mint.events, ...sale.events]
  expect(groupEvents(all)).toEqual([mint, sale])
  expect(groupEvents(all.toReversed())).toEqual([sale, mint])
})

test('what one transaction did to other tokens is apart', () => {
  const other = event('0x1', '2', 2)
  const [issued, created] = mint.events
  if (issued === undefined || created === undefined) throw new Error('A mint has two events.')
  expect(groupEvents([issued, other, created])).toEqual([mint, { key: '0x1 2', events: [other] }])
})
