import fc from 'fast-check'
import { keccak256, parseTransaction, type Transaction, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { hashSignedBy } from './signed-transaction.ts'

const wallet = privateKeyToAccount(toHex(1n, { size: 32 }))
const thief = privateKeyToAccount(toHex(2n, { size: 32 }))
const chainId = 31337

const fees = { eip1559: { maxFeePerGas: 9n, maxPriorityFeePerGas: 2n }, legacy: { gasPrice: 9n } }
const calls = fc.record({
  type: fc.constantFrom('eip1559', 'legacy'),
  nonce: fc.integer({ min: 0, max: 2 ** 40 }),
  value: fc.bigInt({ min: 0n, max: 2n ** 90n }),
  data: fc.uint8Array({ maxLength: 80 }).map((bytes) => toHex(bytes)),
})
type Call = typeof calls extends fc.Arbitrary<infer T> ? T : never

/** Signs a call, and returns it as a node tells of it, with its true hash. */
async function reported(signer: typeof wallet, { type, ...call }: Call, chain = chainId) {
  const content = { ...call, ...fees[type], type, chainId: chain, to: thief.address, gas: 21_000n }
  const raw = await signer.signTransaction(content as never)
  const { data, ...fields } = parseTransaction(raw)
  const nothing = { nonce: 0, value: 0n, input: data ?? '0x' }
  return { tx: { ...nothing, ...fields, type } as unknown as Transaction, hash: keccak256(raw) }
}

test('a transaction has the hash that its signature proves, whatever the node says', async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (call) => {
      const { tx, hash } = await reported(wallet, call)
      const lie = { ...tx, hash: toHex(7n, { size: 32 }), from: thief.address }
      expect(await hashSignedBy(wallet.address, lie, chainId)).toBe(hash)
    }),
    { numRuns: 50 },
  )
})

test('a transaction that another key signed, or the wallet for another chain, proves nothing', async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (call) => {
      const { tx: stolen } = await reported(thief, call)
      const lie = { ...stolen, from: wallet.address }
      expect(await hashSignedBy(wallet.address, lie, chainId)).toBeUndefined()
      const { tx: elsewhere } = await reported(wallet, call, 1)
      expect(await hashSignedBy(wallet.address, elsewhere, chainId)).toBeUndefined()
      // Changed after it was signed, it is a transaction of nobody.
      const { tx } = await reported(wallet, call)
      const changed = { ...tx, nonce: tx.nonce + 1 }
      expect(await hashSignedBy(wallet.address, changed, chainId)).toBeUndefined()
    }),
    { numRuns: 50 },
  )
})

test('a transaction without a signature proves nothing', async () => {
  const forged = { from: wallet.address, nonce: 3, hash: toHex(1n, { size: 32 }), chainId } as never
  expect(await hashSignedBy(wallet.address, forged, chainId)).toBeUndefined()
})
