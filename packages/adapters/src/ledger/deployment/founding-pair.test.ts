import fc from 'fast-check'
import { getContractAddress, type Hex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { walletOf } from '../wallet.ts'
import { foundingPair } from './embedded-contracts.ts'

const wallet = walletOf(toHex(7n, { size: 32 }))

const expectedPair = (from: Hex, nonce: number) => {
  const marketplace = getContractAddress({ from, nonce: BigInt(nonce) })
  return { marketplace, registry: getContractAddress({ from: marketplace, nonce: 3n }) }
}

test('on a new chain the addresses follow from the wallet and nonce 1', async () => {
  expect(await foundingPair({ first: undefined, wallet })).toEqual(expectedPair(wallet.address, 1))
})

const key = fc.bigInt({ min: 1n, max: 2n ** 200n }).map((it) => toHex(it, { size: 32 }))
const type = fc.constantFrom('eip1559' as const, 'legacy' as const)

test('the addresses follow from the signer of the first transaction and its next nonce', async () => {
  const signer = fc.option(key, { nil: toHex(7n, { size: 32 }) })
  await fc.assert(
    fc.asyncProperty(signer, type, fc.nat(1000), async (by, type, nonce) => {
      const founder = privateKeyToAccount(by)
      const first = await founder.signTransaction({ type, chainId: 31337, nonce, data: '0x6001' })
      expect(await foundingPair({ first, wallet })).toEqual(
        expectedPair(founder.address, nonce + 1),
      )
    }),
    { numRuns: 30 },
  )
})
