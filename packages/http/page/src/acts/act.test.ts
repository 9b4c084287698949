import { expect, test } from 'vitest'
import { type Act, describeResult } from './act.ts'

const seller = '0x00000000000000000000000000000000000000bb'
const rent: Act = { kind: 'rent', tokenId: '7', currency: 'native', perDay: '1', days: 3, seller }

test('the receipt says when a rental ends', () => {
  expect(describeResult(rent, { rentedUntil: 1_795_000_000 })).toMatch(
    /^You can open No\. 7 until 18 Nov 2026, \d\d:\d\d:40 \S+\.$/,
  )
  expect(describeResult(rent, {})).toBe('You can open No. 7 until the rental ends.')
})
