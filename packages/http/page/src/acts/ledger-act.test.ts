import { encodeAct } from '@heirloom/adapters/internal/acts'
import { type Abi, decodeFunctionData, getAddress } from 'viem'
import { expect, test } from 'vitest'
import {
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../../../adapters/src/ledger/contracts.generated.ts'
import type { Act } from './act.ts'
import { ledgerActOf } from './ledger-act.ts'
import type { Terms } from './listing-terms.ts'

const own = getAddress(`0x${'a'.repeat(40)}`)
const to = getAddress(`0x${'b'.repeat(40)}`)
const prices = { price: '5', rentalPricePerDay: '2', forkPrice: '0', forkRoyaltyBps: 500 }
const list = (currency: Terms['currency']): Act => ({
  kind: 'list',
  tokenId: '7',
  terms: { currency, ...prices },
})

const pair = { registry: getAddress(`0x${'c'.repeat(40)}`), marketplace: to }

const decode = (act: Act) => {
  const call = encodeAct(pair, ledgerActOf(act, own))
  const abi: Abi = call.to === pair.registry ? memoryRegistryAbi : memoryMarketplaceAbi
  const { functionName, args } = decodeFunctionData({ abi, data: call.data })
  return [functionName, args]
}

const offer = [7n, 5n, 2n, 0n, 500n]

test.each<[string, Act, string, readonly unknown[]]>([
  ['terms in native money', list('native'), 'list', offer],
  ['terms in dollars', list('dollar'), 'listInDollars', offer],
  ['native credit', { kind: 'withdraw', currency: 'native', amount: '3' }, 'withdraw', [own]],
  [
    'dollar credit',
    { kind: 'withdraw', currency: 'dollar', amount: '3' },
    'withdrawDollars',
    [own],
  ],
  ['a transfer', { kind: 'transfer', tokenId: '7', to }, 'safeTransferFrom', [own, to, 7n]],
])('%s is a call of its own function', (_, act, name, args) => {
  expect(decode(act)).toEqual([name, args])
})
