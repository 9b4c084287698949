import fc from 'fast-check'
import { type Hex, numberToHex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { openEvm } from './evm.ts'
import { skipRecovery } from './skip-recovery.ts'
import { history } from './test/requests.ts'
import { noon } from './test/test-chain.ts'
import {
  accounts,
  creationCode,
  keyOf,
  signLegacyTransaction,
  signTransaction,
  witness,
} from './test/transactions.ts'

const chainId = 31337
const genesis = {
  chainId,
  genesisTime: noon / 1000,
  accounts: [{ address: accounts[0].address, balance: 10n ** 22n }],
}

const amount = fc.bigInt({ min: 0n, max: 2n ** 62n })
const eip1559Fields = fc.record(
  {
    nonce: fc.nat(),
    to: fc.option(
      fc.uint8Array({ minLength: 20, maxLength: 20 }).map((it): Hex => toHex(it)),
      {
        nil: undefined,
      },
    ),
    data: fc.uint8Array({ maxLength: 300 }).map((it): Hex => toHex(it)),
    value: amount,
    gas: amount,
    maxFeePerGas: fc.constantFrom(7n, 10n ** 10n),
    maxPriorityFeePerGas: fc.constantFrom(0n, 7n),
  },
  { requiredKeys: ['nonce', 'to'] },
)

const type = 'eip1559'

test('recognises every EIP-1559 transaction of its account, and requests all its fields', async () => {
  const signRequestOf = await skipRecovery({ chainId, key: keyOf(0) })
  const isRecognised = fc.asyncProperty(eip1559Fields, async (transaction) => {
    const filled = { maxFeePerGas: 10n, ...transaction, type, chainId } as const
    const request = signRequestOf(await accounts[0].signTransaction(filled))
    const { to, data = '0x', nonce, value = 0n, gas = 0n } = transaction
    expect(request).toEqual({
      method: 'eth_sendTransaction',
      params: [
        {
          from: accounts[0].address,
          type: '0x2',
          chainId: numberToHex(chainId),
          nonce: numberToHex(nonce),
          gas: numberToHex(gas),
          maxFeePerGas: numberToHex(filled.maxFeePerGas),
          maxPriorityFeePerGas: numberToHex(transaction.maxPriorityFeePerGas ?? 0n),
          ...(to && { to }),
          ...(data !== '0x' && { data }),
          ...(value > 0n && { value: numberToHex(value) }),
        },
      ],
    })
  })
  await fc.assert(isRecognised, { seed: 3 })
})

test('recognises no transaction with a changed byte', async () => {
  const signRequestOf = await skipRecovery({ chainId, key: keyOf(0) })
  const raw = await signTransaction({ nonce: 300, data: '0x0102' })
  expect(signRequestOf(raw)).toBeDefined()
  const isNotRecognised = fc.property(
    fc.nat(raw.length / 2 - 2),
    fc.integer({ min: 1, max: 255 }),
    (index, flip) => {
      const bytes = Buffer.from(raw.slice(2), 'hex')
      bytes[index] = (bytes[index] ?? 0) ^ flip
      expect(signRequestOf(toHex(bytes))).toBeUndefined()
    },
  )
  fc.assert(isNotRecognised, { seed: 3, numRuns: 1_000 })
})

describe('does not recognise', () => {
  test.each([
    ['a transaction of another account', () => signTransaction({ from: 1, nonce: 0 })],
    ['a transaction for another chain', () => signTransaction({ nonce: 0, chainId: 1 })],
    ['a transaction of another type', () => signLegacyTransaction(0, 0)],
    ['other bytes', async (): Promise<Hex> => '0xc0'],
    ['empty bytes', async (): Promise<Hex> => '0x'],
  ])('%s', async (_, raw) => {
    expect((await skipRecovery({ chainId, key: keyOf(0) }))(await raw())).toBeUndefined()
  })

  test('anything without a key', async () => {
    const signRequestOf = await skipRecovery({ chainId, key: undefined })
    expect(signRequestOf(await signTransaction({ nonce: 0 }))).toBeUndefined()
  })
})

test('an EVM that signs again mines the same block as one that recovers the signer', async () => {
  const raws = [
    await signTransaction({ nonce: 0, to: undefined, data: creationCode(witness) }),
    await signTransaction({ nonce: 1, value: 0n }),
    await accounts[0].signTransaction({
      type,
      chainId,
      nonce: 2,
      gas: 100_000n,
      maxFeePerGas: 10n ** 10n,
      to: accounts[1].address,
      value: 5n,
      accessList: [{ address: accounts[2].address, storageKeys: [toHex(1n, { size: 32 })] }],
    }),
  ]
  const key = keyOf(0)
  expect(privateKeyToAccount(key).address).toBe(accounts[0].address)
  const signRequestOf = await skipRecovery({ chainId, key })
  const recovering = await openEvm(genesis)
  const signing = await openEvm({ ...genesis, key })
  const timestamp = genesis.genesisTime + 1
  for (const raw of raws) {
    for (const evm of [recovering, signing])
      await evm.request({ method: 'evm_setNextBlockTimestamp', params: [timestamp] })
    const signRequest = signRequestOf(raw)
    expect(signRequest).toBeDefined()
    const hash = await recovering.request({ method: 'eth_sendRawTransaction', params: [raw] })
    expect(signRequest && (await signing.request(signRequest))).toBe(hash)
  }
  expect(await history(signing)).toEqual(await history(recovering))
})
