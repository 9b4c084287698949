import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Store } from '@heirloom/adapters/store'
import { digest, type Hex, tokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import { toHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Anvil, startAnvil, testClient } from './worlds/anvil.ts'
import { balanced, royaltiesPaid } from './worlds/lane-books.ts'
import { content, type LaneStage, laneStage, mint, outcomeOf, until } from './worlds/lane-stage.ts'
import { type FaultyProxy, faults, startProxy } from './worlds/proxy.ts'

let anvil: Anvil
let stage: LaneStage
let chain: ReturnType<typeof testClient>

beforeAll(async () => {
  anvil = await startAnvil()
  chain = testClient(anvil)
})
afterAll(() => anvil.stop())

beforeEach(async () => {
  await chain.setAutomine(true)
  stage = await laneStage(anvil)
})
afterEach(() => stage.close())

const told = (kind: string) => stage.events.filter((event) => event.kind === kind).length

describe('a node that misbehaves', () => {
  let proxy: FaultyProxy
  beforeEach(async () => {
    proxy = await startProxy(anvil.url)
  })
  afterEach(() => proxy.close())

  test('makes no signed write fail, vanish or happen twice', { timeout: 120_000 }, async () => {
    const policy = fc.oneof(
      { weight: 4, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(...faults) },
    )
    const faulty = fc.sample(policy, { numRuns: 5000, seed: 7 })
    let next = 0
    const ledger = await stage.open({ chain: proxy.url, resendAfter: 50, outage: 30_000 })
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
    await balanced(stage, ['base', ...names])
    expect(await royaltiesPaid(stage)).toBe(names.length)
    expect([...proxy.made.keys()].toSorted()).toEqual([...faults].toSorted())
    const total = [...proxy.made.values()].reduce((sum, times) => sum + times, 0)
    process.stdout.write(`${total} faults, 60 writes, 0 lost, 0 doubled\n`)
  })

  for (const fault of faults) {
    test(`that does this to what is sent: ${fault}`, async () => {
      const ledger = await stage.open({ chain: proxy.url })
      let left = 3
      proxy.arrange((method) =>
        method === 'eth_sendRawTransaction' && left-- > 0 ? fault : undefined,
      )
      await Promise.all([mint(ledger, 1), mint(ledger, 2)])
      await mint(ledger, 3)
      await balanced(stage, [1, 2, 3])
    })
  }
})

describe('what was sent', () => {
  test('is sent again when the node forgets it', async () => {
    const ledger = await stage.open()
    await chain.setAutomine(false)
    const minted = mint(ledger, 'a')
    await until(() => told('signed') === 1)
    await chain.dropTransaction({ hash: await pending() })
    await until(() => told('resent') > 0)
    await chain.setAutomine(true)
    await chain.mine({ blocks: 1 })
    expect((await minted).tokenId).toBe(1n)
    await balanced(stage, ['a'])
  })

  test('is sent again to a node that comes back without what it had not mined', async () => {
    const state = join(mkdtempSync(join(tmpdir(), 'anvil-')), 'state.json')
    const first = await startAnvil({ state })
    const there = await laneStage(first)
    const ledger = await there.open()
    await mint(ledger, 'mined')
    await testClient(first).setAutomine(false)
    const minted = mint(ledger, 'forgotten')
    await until(() => there.events.filter(({ kind }) => kind === 'signed').length === 2)
    await first.stop()
    const again = await startAnvil({ state, port: Number(first.url.port) })
    expect((await minted).tokenId).toBe(2n)
    expect(await there.minted()).toEqual([content('mined'), content('forgotten')])
    await there.close()
    await again.stop()
    rmSync(dirname(state), { recursive: true })
  })

  test('is replaced at a higher price when it is stuck, and done once', async () => {
    const ledger = await stage.open({ stuckAfter: 0 })
    await mint(ledger, 'first')
    await chain.setAutomine(false)
    const minted = mint(ledger, 'a')
    await until(() => told('signed') === 2)
    const hash = await pending()
    const { maxFeePerGas = 0n } = await stage.client.getTransaction({ hash })
    await chain.setNextBlockBaseFeePerGas({ baseFeePerGas: maxFeePerGas + 1n })
    await chain.mine({ blocks: 1 })
    await until(() => told('replaced') > 0)
    await chain.setAutomine(true)
    while (told('settled') < 2) await chain.mine({ blocks: 1 })
    expect((await minted).tokenId).toBe(2n)
    await balanced(stage, ['first', 'a'])
  })

  test('is not replaced at more than 16 times its first price', async () => {
    const ledger = await stage.open({ stuckAfter: 0 })
    await chain.setAutomine(false)
    const minted = mint(ledger, 'a')
    await until(() => told('signed') === 1)
    const hash = await pending()
    const { maxFeePerGas = 0n } = await stage.client.getTransaction({ hash })
    await chain.setNextBlockBaseFeePerGas({ baseFeePerGas: maxFeePerGas * 17n })
    await chain.mine({ blocks: 1 })
    await until(() => told('resent') > 1)
    expect(told('replaced')).toBe(0)
    await chain.setNextBlockBaseFeePerGas({ baseFeePerGas: maxFeePerGas / 2n })
    while (told('settled') < 1) await chain.mine({ blocks: 1 })
    expect((await minted).tokenId).toBe(1n)
    await balanced(stage, ['a'])
  })

  test('is not replaced where that could pass what may be spent', async () => {
    const probe = await stage.open()
    await mint(probe, 'probe')
    await probe.close()
    const { spentToday } = await probe.wallet()
    const ledger = await stage.open({ stuckAfter: 0, limits: { perDay: wei(spentToday * 3n) } })
    await chain.setAutomine(false)
    const minted = mint(ledger, 'a')
    await until(() => told('signed') === 2)
    const hash = await pending()
    const { maxFeePerGas = 0n } = await stage.client.getTransaction({ hash })
    await chain.setNextBlockBaseFeePerGas({ baseFeePerGas: maxFeePerGas * 4n })
    await chain.mine({ blocks: 1 })
    await until(() => told('resent') > 1)
    expect(told('replaced')).toBe(0)
    await chain.setNextBlockBaseFeePerGas({ baseFeePerGas: maxFeePerGas / 2n })
    while (told('settled') < 2) await chain.mine({ blocks: 1 })
    await minted
    expect((await ledger.wallet()).spentToday).toBeLessThanOrEqual(spentToday * 3n)
    await balanced(stage, ['probe', 'a'])
  })

  test('is cancelled when nothing gets it mined in time, and says so', async () => {
    const ledger = await stage.open({ stuckAfter: 0, cancelAfter: 0 })
    await chain.setAutomine(false)
    const minted = outcomeOf(mint(ledger, 'a', 'key'))
    await until(() => told('signed') === 1)
    await chain.dropTransaction({ hash: await pending() })
    await chain.mine({ blocks: 1 })
    while (told('settled') < 1) await chain.mine({ blocks: 1 })
    const outcome = await minted
    await chain.setAutomine(true)
    if (typeof outcome === 'object') return balanced(stage, ['a'])
    expect(outcome).toBe('transaction/cancelled')
    expect((await mint(ledger, 'a', 'key')).tokenId).toBe(1n)
    await balanced(stage, ['a'])
  })

  test('goes on under the next nonce when another transaction of the wallet has its own', async () => {
    const ledger = await stage.open()
    await mint(ledger, 'first')
    await chain.setAutomine(false)
    const minted = mint(ledger, 'a')
    await until(() => told('signed') === 2)
    await foreign()
    await chain.setAutomine(true)
    await chain.mine({ blocks: 1 })
    expect((await minted).tokenId).toBe(2n)
    expect(told('lost')).toBe(1)
    expect((await stage.minted()).toSorted()).toEqual([content('first'), content('a')].toSorted())
  })

  test('is followed on a node that lacks a block it had', async () => {
    let lacking: unknown
    const request = async (call: { readonly method: string; readonly params?: unknown }) => {
      const [number] = Array.isArray(call.params) ? call.params : []
      if (call.method === 'eth_getBlockByNumber' && number === lacking) return null
      return stage.client.request(call as never) as Promise<unknown>
    }
    const ledger = await stage.open({ chain: { request }, reorgDepth: 64 })
    await mint(ledger, 'a')
    lacking = toHex(await stage.client.getBlockNumber())
    await chain.mine({ blocks: 3 })
    await mint(ledger, 'b')
    await balanced(stage, ['a', 'b'])
  })

  for (const depth of [1, 2, 3, 4, 5]) {
    test(`is mined again after a reorganisation of ${depth} blocks`, async () => {
      const ledger = await stage.open({ reorgDepth: 64 })
      const names = Array.from({ length: depth }, (_, index) => index)
      for (const name of names) await mint(ledger, name)
      await chain.reorganise(depth)
      await until(async () => (await stage.minted()).length === depth)
      await until(async () => (await settledSlots()) === depth)
      await balanced(stage, names)
      expect(told('reorganised')).toBeGreaterThan(0)
    })
  }
})

async function settledSlots(): Promise<number> {
  const slots = await stage.store.db.selectFrom('slot').select('state').execute()
  return slots.filter(({ state }) => state === 'settled').length
}

/** Returns what the node holds and has not mined, once it holds it: what is signed may be on its way. */
async function pending(): Promise<Hex> {
  let hash: Hex | undefined
  await until(async () => {
    const { transactions } = await stage.client.getBlock({ blockTag: 'pending' })
    hash = transactions[0]
    return hash !== undefined
  })
  return hash as Hex
}

/** Sends a transfer of the wallet in place of what it has pending, and pays far more for it. */
async function foreign(): Promise<void> {
  const { client, wallet } = stage
  const { address } = wallet
  const nonce = await client.getTransactionCount({ address })
  const fees = await client.estimateFeesPerGas()
  const serializedTransaction = await wallet.signTransaction({
    ...{ type: 'eip1559', chainId: 31337, to: address, nonce, gas: 21_000n },
    maxFeePerGas: fees.maxFeePerGas * 20n,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas * 20n,
  })
  await client.sendRawTransaction({ serializedTransaction })
}

describe('a job store', () => {
  for (const lost of [1, 2, 3, 4, 5]) {
    // Nobody may be left waiting until their patience, of a minute, ends.
    test(`that loses the answer to commit ${lost} loses no write`, {
      timeout: 30_000,
    }, async () => {
      let commits = 0
      const { store } = stage
      const commit: Store['commit'] = async (work, lazily) => {
        const result = await store.commit(work, lazily)
        commits += 1
        if (commits === lost) throw new Error('The connection broke.')
        return result
      }
      const ledger = await stage.open({ store: { ...store, commit } })
      const names = ['a', 'b']
      for (const name of names) {
        const outcomes = [1, 2, 3].map(async () => outcomeOf(mint(ledger, name, name)))
        const made = (await Promise.all(outcomes)).filter((it) => typeof it === 'object')
        expect(new Set(made.map(({ tokenId: id }) => id)).size).toBeLessThan(2)
        // The answer that is lost may be the one to this question.
        while (typeof (await outcomeOf(mint(ledger, name, name))) === 'string');
      }
      expect(commits).toBeGreaterThan(lost)
      await balanced(stage, names)
    })
  }

  test('that is full refuses a write, and takes the next', async () => {
    let full = true
    const { store } = stage
    const commit: Store['commit'] = async (work, lazily) => {
      if (full) throw new Error('SQLITE_FULL')
      return store.commit(work, lazily)
    }
    const ledger = await stage.open({ store: { ...store, commit } })
    expect(await outcomeOf(mint(ledger, 'a'))).toBe('ledger/unavailable')
    full = false
    await mint(ledger, 'b')
    await balanced(stage, ['b'])
  })
})

describe('a write', () => {
  test('is answered after as many blocks as are asked for', async () => {
    await chain.mine({ blocks: 3 })
    const ledger = await stage.open({ confirmations: 3 })
    let answered = false
    const minted = mint(ledger, 'a').finally(() => {
      answered = true
    })
    await until(async () => (await stage.minted()).length === 1)
    expect(await ledger.provenance(tokenId(1n))).toBeUndefined()
    await chain.mine({ blocks: 1 })
    expect(answered).toBe(false)
    await chain.mine({ blocks: 1 })
    expect(await ledger.provenance((await minted).tokenId)).toMatchObject({ tokenId: 1n })
  })

  test('that nobody can make takes none of its neighbours along', async () => {
    const ledger = await stage.open()
    await mint(ledger, 'first')
    const contentHash = content('bad')
    const unknown = { digest: digest(contentHash), parent: tokenId(99n) }
    const bad = { contentHash, ...unknown, recipient: ledger.agent }
    const names = Array.from({ length: 20 }, (_, index) => index)
    const asked = names.map((name) => outcomeOf(name === 7 ? ledger.mint(bad) : mint(ledger, name)))
    const outcomes = await Promise.all(asked)
    expect(outcomes[7]).toBe('token/not-found')
    expect(outcomes.filter((outcome) => typeof outcome === 'object')).toHaveLength(19)
    await balanced(stage, ['first', ...names.filter((name) => name !== 7)])
  })

  test('joins others under load, and goes alone on an idle lane', async () => {
    const ledger = await stage.open()
    await mint(ledger, 'alone')
    await Promise.all(Array.from({ length: 100 }, (_, index) => mint(ledger, index)))
    const sizes = stage.events.flatMap((event) => (event.kind === 'signed' ? [event.jobs] : []))
    expect(sizes[0]).toBe(1)
    expect(Math.max(...sizes)).toBeGreaterThan(50)
  })
})

describe('what may be spent', () => {
  test('in one call is not passed by any, and nothing is signed', async () => {
    const ledger = await stage.open({ limits: { perCall: wei(1n) } })
    expect(await outcomeOf(mint(ledger, 'a'))).toBe('wallet/call-limit')
    expect(told('signed')).toBe(0)
    await balanced(stage, [])
  })

  test('in a day is not passed by many at once', async () => {
    const perDay = wei(10n ** 16n)
    const ledger = await stage.open({ limits: { perDay } })
    await mint(ledger, 'first')
    const amount = wei(10n ** 15n)
    const royalties = Array.from({ length: 20 }, () =>
      outcomeOf(ledger.payRoyalty({ tokenId: tokenId(1n), amount })),
    )
    const outcomes = await Promise.all(royalties)
    expect(new Set(outcomes.filter((outcome) => typeof outcome === 'string'))).toEqual(
      new Set(['wallet/day-limit']),
    )
    const { spentToday } = await ledger.wallet()
    expect(spentToday).toBeLessThanOrEqual(perDay)
    expect(spentToday).toBeGreaterThan(amount * 5n)
  })

  test('in a day is counted anew the next day, and clocks may jump', async () => {
    let now = Date.now()
    const ledger = await stage.open({ now: () => now })
    await mint(ledger, 'today')
    const { spentToday } = await ledger.wallet()
    expect(spentToday).toBe(await stage.paid())
    for (const jump of [86_400_000, -3 * 86_400_000, 365 * 86_400_000]) {
      now += jump
      expect((await ledger.wallet()).spentToday).toBe(0n)
      await mint(ledger, jump)
      expect((await ledger.wallet()).spentToday).toBeGreaterThan(0n)
    }
    await balanced(stage, ['today', 86_400_000, -3 * 86_400_000, 365 * 86_400_000])
  })
})
