import fc from 'fast-check'
import { type Hex, numberToHex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { openEvm } from './evm.ts'
import { skipRecovery } from './skip-recovery.ts'
import { history } from './test/requests.ts'
import { noon } from './test/test-chain.ts'
import { accounts, deploying, keyOf, signed, signedAsBefore, witness } from './test/transactions.ts'

const chainId = 31337
const genesis = {
  chainId,
  genesisTime: noon / 1000,
  accounts: [{ address: accounts[0].address, balance: 10n ** 22n }],
}

const amount = fc.bigInt({ min: 0n, max: 2n ** 62n })
const usual = fc.record(
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

test('knows every usual transaction of its account, and asks for all that it says', async () => {
  const signAnew = await skipRecovery({ chainId, key: keyOf(0) })
  const isKnown = fc.asyncProperty(usual, async (transaction) => {
    const filled = { maxFeePerGas: 10n, ...transaction, type, chainId } as const
    const request = signAnew(await accounts[0].signTransaction(filled))
    const { to, data = '0x', nonce, value = 0n, gas = 0n } = transaction
    expect(request).toEqual({
      method: 'eth_sendTransaction',
      params: [
        {
          ...{ from: accounts[0].address, type: '0x2', chainId: numberToHex(chainId) },
          ...{ nonce: numberToHex(nonce), gas: numberToHex(gas) },
          maxFeePerGas: numberToHex(filled.maxFeePerGas),
          maxPriorityFeePerGas: numberToHex(transaction.maxPriorityFeePerGas ?? 0n),
          ...(to && { to }),
          ...(data !== '0x' && { data }),
          ...(value > 0n && { value: numberToHex(value) }),
        },
      ],
    })
  })
  await fc.assert(isKnown, { seed: 3 })
})

test('knows no transaction of which a byte is another', async () => {
  const signAnew = await skipRecovery({ chainId, key: keyOf(0) })
  const raw = await signed({ nonce: 300, data: '0x0102' })
  expect(signAnew(raw)).toBeDefined()
  const isOther = fc.property(
    fc.nat(raw.length / 2 - 2),
    fc.integer({ min: 1, max: 255 }),
    (place, flip) => {
      const bytes = Buffer.from(raw.slice(2), 'hex')
      bytes[place] = (bytes[place] ?? 0) ^ flip
      expect(signAnew(toHex(bytes))).toBeUndefined()
    },
  )
  fc.assert(isOther, { seed: 3, numRuns: 1_000 })
})

describe('leaves as it is', () => {
  test.each([
    ['what another account signed', () => signed({ from: 1, nonce: 0 })],
    ['what is for another chain', () => signed({ nonce: 0, chainId: 1 })],
    ['a transaction of another type', () => signedAsBefore(0, 0)],
    ['what is no transaction', async (): Promise<Hex> => '0xc0'],
    ['nothing', async (): Promise<Hex> => '0x'],
  ])('%s', async (_, raw) => {
    expect((await skipRecovery({ chainId, key: keyOf(0) }))(await raw())).toBeUndefined()
  })

  test('everything, where there is no key', async () => {
    const signAnew = await skipRecovery({ chainId, key: undefined })
    expect(signAnew(await signed({ nonce: 0 }))).toBeUndefined()
  })
})

test('an EVM that signs anew comes to the block that it comes to by the bytes', async () => {
  const raws = [
    await signed({ nonce: 0, to: undefined, data: deploying(witness) }),
    await signed({ nonce: 1, value: 0n }),
    await accounts[0].signTransaction({
      ...{ type, chainId, nonce: 2, gas: 100_000n, maxFeePerGas: 10n ** 10n },
      ...{ to: accounts[1].address, value: 5n },
      accessList: [{ address: accounts[2].address, storageKeys: [toHex(1n, { size: 32 })] }],
    }),
  ]
  const key = keyOf(0)
  expect(privateKeyToAccount(key).address).toBe(accounts[0].address)
  const signAnew = await skipRecovery({ chainId, key })
  const recorded = await openEvm(genesis)
  const signing = await openEvm({ ...genesis, key })
  const timestamp = genesis.genesisTime + 1
  for (const raw of raws) {
    for (const evm of [recorded, signing])
      await evm.request({ method: 'evm_setNextBlockTimestamp', params: [timestamp] })
    const anew = signAnew(raw)
    expect(anew).toBeDefined()
    const hash = await recorded.request({ method: 'eth_sendRawTransaction', params: [raw] })
    expect(anew && (await signing.request(anew))).toBe(hash)
  }
  expect(await history(signing)).toEqual(await history(recorded))
})
