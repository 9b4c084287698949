import fc from 'fast-check'
import { getContractAddress, type Hex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { walletOf } from '../wallet.ts'
import { foundingPair } from './embedded-contracts.ts'
import { testDollarBytecode } from './test-dollar.generated.ts'

const wallet = walletOf(toHex(7n, { size: 32 }))

const expectedPair = (from: Hex, nonce: number) => {
  const marketplace = getContractAddress({ from, nonce: BigInt(nonce) })
  const made = (by: bigint) => getContractAddress({ from: marketplace, nonce: by })
  const dollar = getContractAddress({ from, nonce: BigInt(nonce - 1) })
  return { marketplace, registry: made(3n), forwarder: made(2n), depositCode: made(1n), dollar }
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
      const data = testDollarBytecode
      const first = await founder.signTransaction({ type, chainId: 31337, nonce, data })
      expect(await foundingPair({ first, wallet })).toEqual(
        expectedPair(founder.address, nonce + 1),
      )
    }),
    { numRuns: 30 },
  )
})

test('refuses a chain that began without a test dollar, as those of earlier versions did', async () => {
  const first = await wallet.signTransaction({ type: 'eip1559', chainId: 31337, data: '0x6001' })
  await expect(foundingPair({ first, wallet })).rejects.toMatchObject({
    code: 'config/invalid',
    facts: { name: 'DATA_DIR', problem: expect.stringContaining('before 0.2.0') },
  })
})
