import assert from 'node:assert/strict'
import type { Law } from '@heirloom/testkit'
import fc from 'fast-check'
import {
  type Hex,
  type LocalAccount,
  parseSignature,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
  toHex,
  verifyHash,
  verifyMessage,
  verifyTypedData,
} from 'viem'

const halfOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n / 2n

const amount = fc.bigInt({ min: 0n, max: 2n ** 96n })
const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((it): Hex => toHex(it))

const common = {
  nonce: fc.nat(),
  chainId: fc.integer({ min: 1, max: 2 ** 31 }),
  to: bytes(20),
  data: fc.uint8Array({ maxLength: 300 }).map((it): Hex => toHex(it)),
  value: amount,
  gas: amount,
}

/** Transactions of each type that a wallet may be asked to sign. */
export const arbitraryTransaction = fc.oneof(
  fc.record({
    ...common,
    type: fc.constant('eip1559' as const),
    maxFeePerGas: amount,
    maxPriorityFeePerGas: fc.constant(0n),
  }),
  fc.record({ ...common, type: fc.constant('legacy' as const), gasPrice: amount }),
)

const typed = fc.record({
  name: fc.string(),
  chainId: fc.nat(),
  holder: bytes(20),
  amount: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
})

type Facts = {
  readonly name: string
  readonly chainId: number
  readonly holder: Hex
  readonly amount: bigint
}

function typedData({ name, chainId, holder, amount: value }: Facts) {
  const types = {
    Gift: [
      { name: 'holder', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
  } as const
  return {
    types,
    primaryType: 'Gift' as const,
    domain: { name, version: '1', chainId },
    message: { holder, amount: value },
  }
}

/** The laws of the wallet of every signer. */
export const walletLaws: readonly Law<LocalAccount>[] = [
  {
    name: 'signs transactions that only its account can have signed, with a low s',
    holds: async (wallet) =>
      fc.assert(
        fc.asyncProperty(arbitraryTransaction, async (transaction) => {
          const raw = (await wallet.signTransaction(transaction)) as TransactionSerialized
          const signer = await recoverTransactionAddress({ serializedTransaction: raw })
          assert.equal(signer, wallet.address)
          const { s = '0x0', r: _r, v: _v, yParity: _y, ...parsed } = parseTransaction(raw)
          requireLow(s)
          assert.equal(parsed.to, transaction.to)
          assert.equal(parsed.nonce ?? 0, transaction.nonce)
        }),
      ),
  },
  {
    name: 'signs digests, with a low s',
    holds: async (wallet) =>
      fc.assert(
        fc.asyncProperty(bytes(32), async (hash) => {
          const signature = (await wallet.sign?.({ hash })) ?? '0x'
          assert.ok(await verifyHash({ address: wallet.address, hash, signature }))
          requireLow(parseSignature(signature).s)
        }),
      ),
  },
  {
    name: 'signs messages (EIP-191)',
    holds: async (wallet) =>
      fc.assert(
        fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (message) => {
          const signature = await wallet.signMessage({ message })
          requireLow(parseSignature(signature).s)
          assert.ok(await verifyMessage({ address: wallet.address, message, signature }))
        }),
      ),
  },
  {
    name: 'signs typed data (EIP-712)',
    holds: async (wallet) =>
      fc.assert(
        fc.asyncProperty(typed, async (facts) => {
          const data = typedData(facts)
          const signature = await wallet.signTypedData(data)
          requireLow(parseSignature(signature).s)
          assert.ok(await verifyTypedData({ ...data, address: wallet.address, signature }))
        }),
      ),
  },
]

const requireLow = (s: Hex): void => assert.ok(BigInt(s) <= halfOrder, 's is high')
