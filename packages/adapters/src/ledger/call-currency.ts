import { type Currency, highestPrice } from '@heirloom/core'
import { decodeFunctionData, type Hex, toFunctionSelector } from 'viem'
import { forwarderAbi, memoryMarketplaceAbi } from './contracts.generated.ts'

const selectorsOf = (abi: typeof memoryMarketplaceAbi | typeof forwarderAbi, name: string) =>
  abi.flatMap((it) => (it.type === 'function' && it.name === name ? [toFunctionSelector(it)] : []))

const inMarket = (...names: readonly string[]): ReadonlySet<string> =>
  new Set(names.flatMap((name) => selectorsOf(memoryMarketplaceAbi, name)))

const orderCalls = inMarket('payOrder', 'settle')
const dollarCalls = inMarket('payOrder', 'settle', 'listInDollars')
const listings = inMarket('listMany')
const [execute = '0x'] = selectorsOf(forwarderAbi, 'execute')

/** Returns the currency of the amounts in a call, which its reverts do not name. */
export function currencyOfCall(data: Hex): Currency {
  const selector = selectorOf(data)
  if (dollarCalls.has(selector)) return 'dollar'
  if (listings.has(selector)) return currencyOfListings(data)
  return selector === execute ? currencyOfCall(forwardedData(data)) : 'native'
}

/** Returns the currency of the first listing of many whose price is too high: no other amount can revert. */
function currencyOfListings(data: Hex): Currency {
  const { functionName, args } = decodeFunctionData({ abi: memoryMarketplaceAbi, data })
  const offers = functionName === 'listMany' ? args[0] : []
  const tooHigh = offers.find(({ price, rentPerDay, forkPrice }) =>
    [price, rentPerDay, forkPrice].some((it) => it > highestPrice),
  )
  return tooHigh?.inDollars ? 'dollar' : 'native'
}

/** Returns whether a call carries out an order, in which the dollar moves. */
export const isOrderCall = (data: Hex): boolean => orderCalls.has(selectorOf(data))

const selectorOf = (data: Hex): string => data.slice(0, 10).toLowerCase()

function forwardedData(data: Hex): Hex {
  const { args } = decodeFunctionData({ abi: forwarderAbi, data })
  return (args as readonly [{ readonly data: Hex }])[0].data
}
