import { tokenId, wei } from '@heirloom/core'
import { type Hex, keccak256, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { Chain } from '../../packages/adapters/src/ledger/connection.ts'
import { content, mint, outcomeOf, until } from '../harness/nonce-lane/lane-fixture.ts'
import { laneHarness } from '../harness/nonce-lane/lane-harness.ts'

const harness = laneHarness()

/** Returns a new wallet with money. */
async function newWallet(): Promise<LocalAccount> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  await harness.chain.setBalance({ address: wallet.address, value: 10n ** 21n })
  return wallet
}

/** Returns the node behind a network that loses every transaction until it is mended. */
function losingChain() {
  const lost: Hex[] = []
  let isMended = false
  const chain: Chain = {
    request: async ({ method, params }) => {
      const [raw] = (params ?? []) as Hex[]
      if (method === 'eth_sendRawTransaction' && raw !== undefined && !isMended) {
        lost.push(raw)
        return keccak256(raw)
      }
      return harness.chain.request({ method, params } as never)
    },
  }
  const mend = () => {
    isMended = true
  }
  return { chain, lost, mend }
}

describe('the lanes of several wallets in one store', () => {
  test('do not wait for each other: a stuck transaction of one stops no other', async () => {
    const { chain, lost, mend } = losingChain()
    const stuck = await harness.fixture.open({ wallet: await newWallet(), chain })
    const free = await harness.fixture.open({ wallet: await newWallet() })
    const waiting = mint(stuck, 'stuck')
    await until(() => lost.length > 0)
    const minted = []
    for (const name of [1, 2, 3, 4, 5]) minted.push((await mint(free, name)).tokenId)
    expect(minted).toEqual([1n, 2n, 3n, 4n, 5n])
    mend()
    expect((await waiting).tokenId).toBe(6n)
    expect(await harness.fixture.mintedHashes()).toEqual([1, 2, 3, 4, 5, 'stuck'].map(content))
  })

  test('give one idempotency key to each, and recall their own acts', async () => {
    const ledgers = []
    for (const _ of [1, 2]) ledgers.push(await harness.fixture.open({ wallet: await newWallet() }))
    const [one, other] = ledgers as [(typeof ledgers)[0], (typeof ledgers)[0]]
    const first = await Promise.all([mint(one, 'a', 'key'), mint(other, 'a', 'key')])
    expect(new Set(first.map(({ tokenId: id }) => id))).toEqual(new Set([tokenId(1n), tokenId(2n)]))
    const again = await Promise.all([mint(one, 'a', 'key'), mint(other, 'a', 'key')])
    expect(again).toEqual(first)
    const idempotency = { key: 'alone', fingerprint: 'alone' }
    await mint(one, 'b', 'alone')
    expect(await other.recall('mint', idempotency)).toBeUndefined()
    expect(await harness.fixture.mintedHashes()).toHaveLength(3)
  })

  test('count what each spends apart', async () => {
    const limits = { perDay: 1n as never }
    const poor = await harness.fixture.open({ wallet: await newWallet(), limits })
    const rich = await harness.fixture.open({ wallet: await newWallet() })
    expect(await outcomeOf(mint(poor, 'a'))).toBe('wallet/day-limit')
    await mint(rich, 'a')
    const spent = await Promise.all([poor, rich].map(async (it) => (await it.wallet()).spentToday))
    expect(spent[0]).toBe(0n)
    expect(spent[1]).toBeGreaterThan(0n)
  })

  test('count together what a budget spends that spans them, and no more than it allows', async () => {
    const finney = 10n ** 15n
    const perDay = wei(4n * finney)
    const budget = { name: 'ada', perDay, spansWallets: true }
    const ledgers = await Promise.all(
      [1, 2].map(async () => harness.fixture.open({ wallet: await newWallet() })),
    )
    await mint(ledgers[0] as (typeof ledgers)[0], 'first')
    const pay = (ledger: (typeof ledgers)[0], name: typeof budget | { name: string }) =>
      outcomeOf(ledger.payRoyalty({ tokenId: tokenId(1n), amount: wei(finney), budget: name }))
    const paid = await Promise.all(
      [...ledgers, ...ledgers, ...ledgers].map((it) => pay(it, budget)),
    )
    const done = paid.filter((it) => typeof it === 'object').length
    const spent = await Promise.all(ledgers.map((it) => it.spentInName(budget)))
    expect(spent[0]).toBe(spent[1])
    expect(spent[0]).toBeLessThanOrEqual(perDay)
    expect(spent[0]).toBeGreaterThanOrEqual(BigInt(done) * finney)
    expect(done).toBeGreaterThan(0)
    expect(new Set(paid.filter((it) => typeof it !== 'object'))).toEqual(
      new Set(['api-key/day-limit']),
    )
    // A budget of the same name that spans nothing is another one.
    expect(typeof (await pay(ledgers[0] as (typeof ledgers)[0], { name: 'ada' }))).toBe('object')
    expect(await ledgers[1]?.spentInName('ada')).toBe(0n)
  })
})
