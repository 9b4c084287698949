import fc from 'fast-check'
import { getContractAddress, type Hex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { foundingPair } from './deploy.ts'
import { walletOf } from '../wallet.ts'

const wallet = walletOf(toHex(7n, { size: 32 }))

const madeBy = (from: Hex, nonce: number) => {
  const marketplace = getContractAddress({ from, nonce: BigInt(nonce) })
  return { marketplace, registry: getContractAddress({ from: marketplace, nonce: 1n }) }
}

test('a chain without history will have the pair where its wallet makes it first', async () => {
  expect(await foundingPair({ first: undefined, wallet })).toEqual(madeBy(wallet.address, 0))
})

const key = fc.bigInt({ min: 1n, max: 2n ** 200n }).map((it) => toHex(it, { size: 32 }))
const type = fc.constantFrom('eip1559' as const, 'legacy' as const)

test('the first transaction tells where the pair is, whoever signed it', async () => {
  const signer = fc.option(key, { nil: toHex(7n, { size: 32 }) })
  await fc.assert(
    fc.asyncProperty(signer, type, fc.nat(1000), async (by, type, nonce) => {
      const founder = privateKeyToAccount(by)
      const first = await founder.signTransaction({ type, chainId: 31337, nonce, data: '0x6001' })
      expect(await foundingPair({ first, wallet })).toEqual(madeBy(founder.address, nonce))
    }),
    { numRuns: 30 },
  )
})
