import { type EnsNames, ensNames } from '@heirloom/adapters/internal/ens'
import { account } from '@heirloom/core'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import { deployEns, type Ens } from '../harness/chain/ens.ts'

let anvil: Anvil
let ens: Ens
let names: EnsNames
let time = 0
beforeAll(async () => {
  anvil = await startAnvil()
  ens = await deployEns(anvil)
})
afterAll(() => anvil?.stop())
beforeEach(() => {
  names = ensNames({ chain: anvil.url, registry: ens.registry, now: () => time })
})

/** Returns an account that can pay for a transaction. */
async function newAccount() {
  const by = privateKeyToAccount(generatePrivateKey())
  await testClient(anvil).setBalance({ address: by.address, value: 10n ** 18n })
  return { by, of: account(by.address) }
}

describe('the primary name of an account', () => {
  test('is the one that it chose and that leads to it', async () => {
    const { by, of } = await newAccount()
    expect(await names.nameOf(of)).toBeUndefined()
    await ens.register('ada.example.eth', of)
    await ens.claim(by, 'ada.example.eth')
    time += 300_000
    expect(await names.nameOf(of)).toBe('ada.example.eth')
  })

  test('is asked for once in five minutes', async () => {
    const { by, of } = await newAccount()
    await ens.register('before.eth', of)
    await ens.register('after.eth', of)
    await ens.claim(by, 'before.eth')
    expect(await names.nameOf(of)).toBe('before.eth')
    await ens.claim(by, 'after.eth')
    time += 299_999
    expect(await names.nameOf(of)).toBe('before.eth')
    time += 1
    expect(await names.nameOf(of)).toBe('after.eth')
  })

  test('is none of another account, and none that leads nowhere', async () => {
    const [{ of: rich }, { by, of }] = [await newAccount(), await newAccount()]
    await ens.register('rich.eth', rich)
    for (const claimed of ['rich.eth', 'nobody.eth', '']) {
      await ens.claim(by, claimed)
      expect(await names.nameOf(of), claimed).toBeUndefined()
      time += 300_000
    }
  })

  test.each(['Capital.eth', 'hidden\u200bspace.eth', 'pаypal.eth', 'x'.repeat(300), 'no-dot'])(
    'is never %j, which may look like another',
    async (claimed) => {
      const { by, of } = await newAccount()
      await ens.register(claimed, of)
      await ens.claim(by, claimed)
      expect(await names.nameOf(of)).toBeUndefined()
    },
  )
})

describe('an account', () => {
  test('is found by its name, however that is written', async () => {
    const { of } = await newAccount()
    await ens.register('grace.eth', of)
    for (const text of ['grace.eth', 'Grace.ETH']) {
      expect(await names.find(text)).toEqual({ name: 'grace.eth', account: of })
    }
  })

  test.each(['', 'eth', 'unknown.eth', 'a..eth', '.', '0x00', 'a b.eth', 'x.'.repeat(200)])(
    'is not found by %j',
    async (text) => {
      expect(await names.find(text)).toBeUndefined()
    },
  )

  // Initialisation code, and what it deploys.
  const deploying = (code: string): Hex =>
    `0x60${(code.length / 2).toString(16).padStart(2, '0')}600c60003960${(code.length / 2).toString(16).padStart(2, '0')}6000f3${code}`
  test.each([
    ['never ends', '5b600056'],
    ['refuses', '60006000fd'],
    ['returns nothing', '00'],
    ['returns a megabyte', '621000006000f3'],
    ['returns another kind', '60ff60005260206000f3'],
  ])('is not found with a resolver that %s', async (_, code) => {
    const { of } = await newAccount()
    await ens.register('hostile.eth', of)
    await ens.resolveWith('hostile.eth', deploying(code))
    const found = await names.find('hostile.eth')
    // The last one returns an address, which is that of the name then.
    expect(found?.account).not.toBe(of)
  })
})

test('a node that does not answer is no name, and is said', async () => {
  const closed = new URL('http://127.0.0.1:9')
  const lost = ensNames({ chain: closed, registry: ens.registry, now: () => time })
  await expect(lost.find('grace.eth')).rejects.toMatchObject({ code: 'ledger/unavailable' })
  await expect(lost.nameOf(ens.registry)).rejects.toMatchObject({ code: 'ledger/unavailable' })
})

test('a chain without the registry has no names', async () => {
  const { of } = await newAccount()
  const none = ensNames({ chain: anvil.url, registry: of, now: () => time })
  expect(await none.find('grace.eth')).toBeUndefined()
  expect(await none.nameOf(of)).toBeUndefined()
})
