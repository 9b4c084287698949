import { extractChain } from 'viem'
import * as chains from 'viem/chains'
import { expect, test } from 'vitest'
import { ether, knownChains } from './known-chains.ts'

test.each(Object.keys(knownChains).map(Number))('chain %i has its native currency', (id) => {
  const { nativeCurrency } = extractChain({ chains: Object.values(chains), id: id as 1 })
  expect((knownChains[id]?.nativeCurrency ?? ether).symbol).toBe(nativeCurrency.symbol)
  expect(nativeCurrency.decimals).toBe(18)
})
