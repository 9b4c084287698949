import fc from 'fast-check'
import { type Hex, recoverTransactionAddress, type TransactionSerialized, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { secp256k1Signing } from '../platform/secp256k1-signing.ts'
import { privateKeySigner } from './signer/private-key-signer.ts'
import { signerWallet } from './signer/signer-wallet.ts'
import { walletOf } from './wallet.ts'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const privateKey = fc.bigInt({ min: 1n, max: order - 1n }).map((key) => toHex(key, { size: 32 }))
const amount = fc.bigInt({ min: 0n, max: 2n ** 96n })

const transaction = fc.record({
  type: fc.constant('eip1559' as const),
  chainId: fc.integer({ min: 1, max: 2 ** 31 }),
  nonce: fc.nat(),
  to: fc.uint8Array({ minLength: 20, maxLength: 20 }).map((it): Hex => toHex(it)),
  data: fc.uint8Array({ maxLength: 300 }).map((it): Hex => toHex(it)),
  value: amount,
  gas: amount,
  maxFeePerGas: amount,
  maxPriorityFeePerGas: fc.constant(0n),
})

test('the native signer has the same address and signs the same bytes as viem', async () => {
  const signing = secp256k1Signing()
  await fc.assert(
    fc.asyncProperty(privateKey, transaction, async (key, it) => {
      const [wallet, reference] = [
        signerWallet(privateKeySigner(key, signing)),
        privateKeyToAccount(key),
      ]
      expect(wallet.address).toBe(reference.address)
      expect(await wallet.signTransaction(it)).toBe(await reference.signTransaction(it))
    }),
  )
})

test('a wallet signs transactions of every type with its own key', async () => {
  const wallet = walletOf(toHex(7n, { size: 32 }))
  for (const type of ['eip1559', 'legacy'] as const) {
    const it = { type, chainId: 31337, nonce: 3, gas: 21_000n } as const
    const raw = (await wallet.signTransaction(it)) as TransactionSerialized
    expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(wallet.address)
  }
})
