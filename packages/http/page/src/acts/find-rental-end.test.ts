import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import { memoryMarketplaceAbi as abi } from '../../../../adapters/src/ledger/contracts.generated.ts'
import { type Act, describeResult } from './act.ts'
import { findRentalEnd } from './find-rental-end.ts'
import type { Log } from './receipt-log.ts'

const marketplace = '0x00000000000000000000000000000000000000aa'
const account = '0x00000000000000000000000000000000000000bb'
const rent: Act = {
  ...{ kind: 'rent', tokenId: '7', currency: 'native' },
  ...{ perDay: '1', days: 3, seller: account },
}

const rented = (address: Hex, tokenId: bigint, expiresAt: bigint): Log => ({
  address,
  topics: encodeEventTopics({
    abi,
    eventName: 'Rented',
    args: { tokenId, renter: account, payer: account },
  }) as Hex[],
  data: encodeAbiParameters(parseAbiParameters('address, uint256, uint256'), [
    account,
    expiresAt,
    3n,
  ]),
})

const rentedForDollars = (expiresAt: bigint): Log => ({
  address: marketplace,
  topics: encodeEventTopics({
    abi,
    eventName: 'RentedForDollars',
    args: { tokenId: 7n, renter: account },
  }) as Hex[],
  data: encodeAbiParameters(
    parseAbiParameters('address, address, uint256, uint256, address, bytes32'),
    [account, account, expiresAt, 3n, account, `0x${'0'.repeat(64)}`],
  ),
})

test('finds the end of the rental in the logs of the marketplace only', () => {
  const logs = [rented(account, 7n, 666n), rented(marketplace, 8n, 667n)]
  expect(findRentalEnd(rent, logs, { marketplace })).toBeUndefined()
  const end = findRentalEnd(rent, [...logs, rented(marketplace, 7n, 1_795_000_000n)], {
    marketplace,
  })
  expect(end).toBe(1_795_000_000)
})

test('finds the end of a rental in dollars', () => {
  expect(findRentalEnd(rent, [rentedForDollars(5n)], { marketplace })).toBe(5)
})

test('another act has none', () => {
  const buy: Act = { kind: 'buy', tokenId: '7', currency: 'native', price: '1', seller: account }
  expect(findRentalEnd(buy, [rented(marketplace, 7n, 5n)], { marketplace })).toBeUndefined()
})

test('the receipt says when a rental ends', () => {
  expect(describeResult(rent, { rentedUntil: 1_795_000_000 })).toMatch(
    /^You can open No\. 7 until 18 Nov 2026, \d\d:\d\d:40 \S+\.$/,
  )
  expect(describeResult(rent, {})).toBe('You can open No. 7 until the rental ends.')
})
