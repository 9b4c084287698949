import type { JobStore } from '@heirloom/adapters/job-store'
import { tokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import type { LocalAccount } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FaultyProxy, faults, startProxy } from '../harness/chain/faulty-proxy.ts'
import { countRoyalties, expectBalanced } from '../harness/nonce-lane/expect-balanced.ts'
import { mint, outcomeOf } from '../harness/nonce-lane/lane-fixture.ts'
import { laneHarness } from '../harness/nonce-lane/lane-harness.ts'
import { longestWait } from '../tier.ts'

const harness = laneHarness()

describe('a faulty node', () => {
  let proxy: FaultyProxy
  beforeEach(async () => {
    proxy = await startProxy(harness.anvil.url)
  })
  afterEach(() => proxy.close())

  test('makes no signed write fail, and loses or repeats none', async () => {
    const policy = fc.oneof(
      { weight: 4, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(...faults) },
    )
    // Each fault once for sure: a write takes few requests.
    const eachOnce = faults.flatMap((fault) => [undefined, fault, undefined])
    const faulty = [...eachOnce, ...fc.sample(policy, { numRuns: 5000, seed: 7 })]
    let next = 0
    const ledger = await harness.fixture.open({
      chain: proxy.url,
      resendAfter: 50,
      outageTimeout: longestWait,
    })
    await mint(ledger, 'base')
    proxy.arrange(() => faulty[next++ % faulty.length])
    const names = Array.from({ length: 30 }, (_, index) => index)
    const royalty = () => ledger.payRoyalty({ tokenId: tokenId(1n), amount: wei(1n) })
    const [mints, royalties] = await Promise.all([
      Promise.all(names.map((name) => outcomeOf(mint(ledger, name)))),
      Promise.all(names.map(() => outcomeOf(royalty()))),
    ])
    proxy.arrange(() => undefined)
    const refused = [...mints, ...royalties].filter((outcome) => typeof outcome === 'string')
    expect(refused).toEqual([])
    await expectBalanced(harness.fixture, ['base', ...names])
    expect(await countRoyalties(harness.fixture)).toBe(names.length)
    expect([...proxy.made.keys()].toSorted()).toEqual([...faults].toSorted())
    const total = [...proxy.made.values()].reduce((sum, times) => sum + times, 0)
    process.stdout.write(`${total} faults, 60 writes, 0 lost, 0 doubled\n`)
  })

  for (const fault of faults) {
    test(`that answers three sent transactions with this fault loses none: ${fault}`, async () => {
      const ledger = await harness.fixture.open({ chain: proxy.url })
      let left = 3
      proxy.arrange((method) =>
        method === 'eth_sendRawTransaction' && left-- > 0 ? fault : undefined,
      )
      await Promise.all([mint(ledger, 1), mint(ledger, 2)])
      await mint(ledger, 3)
      await expectBalanced(harness.fixture, [1, 2, 3])
    })
  }
})

describe('a job store', () => {
  for (const lost of [1, 2, 3, 4, 5]) {
    // No caller may wait until its timeout of a minute.
    test(`that does not answer commit ${lost} loses no write`, async () => {
      let commits = 0
      const { store } = harness.fixture
      const commit: JobStore['commit'] = async (work, lazily) => {
        const result = await store.commit(work, lazily)
        commits += 1
        if (commits === lost) throw new Error('The connection broke.')
        return result
      }
      const ledger = await harness.fixture.open({ store: { ...store, commit } })
      const names = ['a', 'b', 'c']
      for (const name of names) {
        const outcomes = [1, 2, 3].map(async () => outcomeOf(mint(ledger, name, name)))
        const minted = (await Promise.all(outcomes)).filter((it) => typeof it === 'object')
        expect(new Set(minted.map(({ tokenId: id }) => id)).size).toBeLessThan(2)
        // The lost answer may be that to this write.
        while (typeof (await outcomeOf(mint(ledger, name, name))) === 'string');
      }
      expect(commits).toBeGreaterThan(lost)
      await expectBalanced(harness.fixture, names)
    })
  }

  test('that is full refuses a write, and accepts the next', async () => {
    let full = true
    const { store } = harness.fixture
    const commit: JobStore['commit'] = async (work, lazily) => {
      if (full) throw new Error('SQLITE_FULL')
      return store.commit(work, lazily)
    }
    const ledger = await harness.fixture.open({ store: { ...store, commit } })
    expect(await outcomeOf(mint(ledger, 'a'))).toBe('store/unavailable')
    full = false
    await mint(ledger, 'b')
    await expectBalanced(harness.fixture, ['b'])
  })

  test('gets no write whose caller gave up before it was signed, and makes it once under its key', async () => {
    const { wallet } = harness.fixture
    const gate = Promise.withResolvers<void>()
    const signTransaction: LocalAccount['signTransaction'] = async (...input) => {
      await gate.promise
      return wallet.signTransaction(...input)
    }
    const slow = { wallet: { ...wallet, signTransaction }, callerTimeout: 50 }
    const ledger = await harness.fixture.open(slow)
    expect(await outcomeOf(mint(ledger, 'a', 'key'))).toBe('ledger/unavailable')
    gate.resolve()
    await ledger.close()
    await mint(await harness.fixture.open(), 'a', 'key')
    await expectBalanced(harness.fixture, ['a'])
  })
})
