import { highestPrice } from '@heirloom/core'
import fc from 'fast-check'
import { encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { memoryMarketplaceAbi as abi } from './contracts.generated.ts'
import { currencyOfCall } from './node-call.ts'

const price = fc.oneof(
  fc.bigInt({ min: 0n, max: highestPrice }),
  fc.bigInt({ min: highestPrice + 1n, max: 2n ** 96n }),
)
const offer = fc.record({
  tokenId: fc.bigInt({ min: 1n, max: 99n }),
  price,
  rentPerDay: price,
  forkPrice: price,
  royaltyBps: fc.constant(0n),
  inDollars: fc.boolean(),
})

test('the amounts in a revert of many listings are in the currency of the first that is too high', () => {
  fc.assert(
    fc.property(fc.array(offer, { minLength: 1, maxLength: 6 }), (offers) => {
      const data = encodeFunctionData({ abi, functionName: 'listMany', args: [offers] })
      const isTooHigh = (it: (typeof offers)[number]) =>
        it.price > highestPrice || it.rentPerDay > highestPrice || it.forkPrice > highestPrice
      const expected = offers.find(isTooHigh)?.inDollars ? 'dollar' : 'native'
      expect(currencyOfCall(data)).toBe(expected)
    }),
  )
})

test('listings in dollars, orders and all else have one currency each', () => {
  const list = [7n, 1n, 0n, 0n, 0n] as const
  const encode = (functionName: 'list' | 'listInDollars') =>
    encodeFunctionData({ abi, functionName, args: list })
  expect(currencyOfCall(encode('listInDollars'))).toBe('dollar')
  expect(currencyOfCall(encode('list'))).toBe('native')
  expect(currencyOfCall('0x')).toBe('native')
})
