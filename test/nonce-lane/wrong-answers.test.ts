import { tokenId, wei } from '@heirloom/core'
import { type Hex, parseTransaction, toHex } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Lie, type LyingProxy, startLyingProxy } from '../harness/chain/lying-proxy.ts'
import { expectBalanced } from '../harness/nonce-lane/expect-balanced.ts'
import { mint, outcomeOf, until } from '../harness/nonce-lane/lane-fixture.ts'
import { laneHarness } from '../harness/nonce-lane/lane-harness.ts'
import { longestWait } from '../tier.ts'

const harness = laneHarness()

let proxy: LyingProxy
let passed = 0
beforeEach(async () => {
  passed = 0
  proxy = await startLyingProxy(harness.anvil.url)
})
afterEach(() => proxy.close())

/** Opens a lane through the proxy, whose clock moves by `passed`. */
const open = (more = {}) =>
  harness.fixture.open({ chain: proxy.url, now: () => Date.now() + passed, ...more })
const countOf = (method: string) =>
  proxy.requests.flat().filter((call) => call.method === method).length
const slots = () => harness.fixture.store.db.selectFrom('slot').selectAll().execute()
const openSlots = async () => (await slots()).filter(({ state }) => state === 'open')

/** Lets the lane look at the chain a number of times. */
async function looks(times: number): Promise<void> {
  const heads = () =>
    proxy.requests
      .flat()
      .filter(({ method, params }) => method === 'eth_getBlockByNumber' && params[0] === 'latest')
  const before = heads().length
  await until(() => heads().length >= before + times)
}

const lieAbout =
  (method: string, answer: unknown): Lie =>
  (call, truth) =>
    call.method === method ? answer : truth

/** The most requests of a loop in a second. */
const mostRequests = 10

/** Expects that a lane asks at most ten times a second once its pauses have grown. */
async function expectCalm(): Promise<void> {
  await looks(18)
  const [from, before] = [performance.now(), proxy.requests.flat().length]
  await looks(4)
  const seconds = (performance.now() - from) / 1000
  expect((proxy.requests.flat().length - before) / seconds).toBeLessThanOrEqual(mostRequests)
}

describe('a wrong count of nonces', () => {
  test('of 0 fills no nonce below one that was confirmed, and the writes settle with the truth', async () => {
    const ledger = await open()
    await mint(ledger, 'before')
    proxy.lie(lieAbout('eth_getTransactionCount', '0x0'))
    const minting = mint(ledger, 'during')
    await until(() => harness.countEvents('signed') === 2)
    passed = 40_000
    await looks(4)
    proxy.lie()
    await minting
    await mint(ledger, 'after')
    expect((await slots()).map(({ nonce }) => nonce)).not.toContain(0)
    await expectBalanced(harness.fixture, ['before', 'during', 'after'])
  })

  test('that fills a nonce of long ago leaves nothing behind, once the node tells the truth', async () => {
    await harness.chain.mine({ blocks: 200 })
    const ledger = await open()
    await harness.chain.setAutomine(false)
    const minting = mint(ledger, 'during')
    await until(() => harness.countEvents('signed') === 1)
    proxy.lie(lieAbout('eth_getTransactionCount', '0x0'))
    passed = 40_000
    await until(async () => (await slots()).some(({ nonce }) => nonce === 0))
    proxy.lie()
    await harness.chain.setAutomine(true)
    await harness.chain.mine({ blocks: 1 })
    await minting
    const before = countOf('eth_getBlockByNumber')
    passed += 40_000
    const after = mint(ledger, 'after')
    await until(async () => (await openSlots()).length === 0)
    await after
    expect(harness.countEvents('lost')).toBe(1)
    expect(countOf('eth_getBlockByNumber') - before).toBeLessThan(128)
    await expectBalanced(harness.fixture, ['during', 'after'])
  })

  test('under which a write was signed gives the write another nonce, however old the nonce is', async () => {
    await harness.chain.mine({ blocks: 200 })
    proxy.lie(lieAbout('eth_getTransactionCount', '0x0'))
    const ledger = await open()
    const minting = mint(ledger, 'under nonce 0', 'key')
    await until(() => harness.countEvents('signed') === 1)
    expect((await openSlots()).map(({ nonce }) => nonce)).toEqual([0])
    passed = 40_000
    await expectCalm()
    proxy.lie()
    await minting
    await mint(ledger, 'next')
    await expectBalanced(harness.fixture, ['under nonce 0', 'next'])
  })
})

test('a node that shows another head at each look is not asked in a hot loop', async () => {
  const ledger = await open({ reorgDepth: 64 })
  const names = Array.from({ length: 24 }, (_, at) => `mint ${at}`)
  for (const name of names) await mint(ledger, name)
  let at = 0n
  proxy.lie(({ method, params }, truth) => {
    if (method !== 'eth_getBlockByNumber' || params[0] !== 'latest') return truth
    return { ...(truth as object), hash: toHex(++at, { size: 32 }) }
  })
  await expectCalm()
  proxy.lie()
  await mint(ledger, 'after')
  await expectBalanced(harness.fixture, [...names, 'after'])
})

describe('a price of 0', () => {
  /** Answers 0 for the fees, until the tip was requested a number of times. */
  const freeOfCharge = (times: number): Lie => {
    let left = times
    const zeros: Readonly<Record<string, (truth: object) => unknown>> = {
      eth_getBlockByNumber: (truth) => (left > 0 ? { ...truth, baseFeePerGas: '0x0' } : truth),
      eth_maxPriorityFeePerGas: (truth) => (left-- > 0 ? '0x0' : truth),
    }
    return ({ method }, truth) => zeros[method]?.(truth) ?? truth
  }

  test('that is answered once is asked again, and the write is signed at the true one', async () => {
    proxy.lie(freeOfCharge(1))
    await mint(await open(), 'a')
    const [attempt] = await harness.fixture.store.db.selectFrom('attempt').selectAll().execute()
    expect(BigInt(attempt?.maxFeePerGas ?? 0)).toBeGreaterThan(0n)
    expect(harness.countEvents('replaced')).toBe(0)
  })

  test('at which a write was signed is replaced at the true one, and holds none behind it', async () => {
    const ledger = await open()
    proxy.lie(freeOfCharge(1_000_000))
    const minting = mint(ledger, 'free')
    await until(() => harness.countEvents('signed') === 1)
    const [attempt] = await harness.fixture.store.db.selectFrom('attempt').selectAll().execute()
    expect(attempt?.maxFeePerGas).toBe('0')
    proxy.lie()
    const behind = mint(ledger, 'behind')
    await until(() => harness.countEvents('signed') === 2)
    passed = 40_000
    await minting
    await behind
    expect(harness.countEvents('replaced')).toBeGreaterThan(0)
    await expectBalanced(harness.fixture, ['free', 'behind'])
  })
})

test('an estimate of no more than a transfer is asked again, and never signed', async () => {
  const patient = await open({ outageTimeout: longestWait })
  let lies = 1
  proxy.lie((call, truth) =>
    call.method === 'eth_estimateGas' && lies-- > 0 ? toHex(21_000) : truth,
  )
  await mint(patient, 'once')
  await patient.close()
  const ledger = await open({ outageTimeout: 100 })
  proxy.lie(lieAbout('eth_estimateGas', toHex(21_000)))
  const royalty = ledger.payRoyalty({ tokenId: tokenId(1n), amount: wei(1n) })
  expect(await outcomeOf(royalty)).toBe('ledger/unavailable')
  expect(harness.countEvents('signed')).toBe(1)
  await expectBalanced(harness.fixture, ['once'])
})

test.each([null, '-0x1', '0x', 7])(
  'an estimate of %j is asked again at most ten times a second, and harms no write',
  async (answer) => {
    const ledger = await open({ outageTimeout: longestWait })
    proxy.lie(lieAbout('eth_estimateGas', answer))
    const minting = outcomeOf(mint(ledger, 'patient'))
    await until(() => countOf('eth_estimateGas') > mostRequests)
    const times = proxy.times.filter((_, index) =>
      proxy.requests[index]?.some(({ method }) => method === 'eth_estimateGas'),
    )
    const inSecondFrom = (from: number) => times.filter((at) => at >= from && at < from + 1000)
    expect(Math.max(...times.map((at) => inSecondFrom(at).length))).toBeLessThanOrEqual(
      mostRequests,
    )
    proxy.lie()
    await minting
    await expectBalanced(harness.fixture, ['patient'])
  },
)

test('a write that the node reverts without a reason is refused alone, and at once', async () => {
  const ledger = await open({ outageTimeout: 1_000_000 })
  await mint(ledger, 'base')
  const revert = { code: 3, message: 'execution reverted' }
  proxy.refuse(({ method, params: [call] }) => {
    const { value } = (call ?? {}) as { value?: string }
    return method === 'eth_estimateGas' && value === '0x7' ? revert : undefined
  })
  const royalty = (amount: bigint) =>
    ledger.payRoyalty({ tokenId: tokenId(1n), amount: wei(amount) })
  const refused = outcomeOf(royalty(7n))
  const behind = [royalty(1n), mint(ledger, 'behind')]
  await Promise.all(behind)
  expect(await refused).toBe('transaction/would-fail')
})

describe('a transaction that a node refuses', () => {
  const words = `oversized data: see https://node.example/key?k=${'s3cret'.repeat(6)}`

  /** Refuses every transaction under a nonce that calls a contract. */
  const refuseCalls = (nonce: number) =>
    proxy.refuse(({ method, params: [raw] }) => {
      if (method !== 'eth_sendRawTransaction') return undefined
      const { data = '0x', nonce: of = 0 } = parseTransaction(raw as Hex)
      return data !== '0x' && of === nonce ? { code: -32000, message: words } : undefined
    })

  test('at two prices is cancelled, so that the writes behind it go on', async () => {
    const { wallet, client } = harness.fixture
    const nonce = await client.getTransactionCount({ address: wallet.address })
    refuseCalls(nonce)
    const ledger = await open()
    const refused = outcomeOf(mint(ledger, 'refused', 'key'))
    await until(() => harness.countEvents('signed') === 1)
    const behind = mint(ledger, 'behind')
    // Both were sent again, so that the lane knows of the refusal.
    await until(() => harness.countEvents('signed') === 2 && harness.countEvents('resent') > 1)
    passed = 40_000
    await until(() => harness.countEvents('replaced') === 1)
    passed = 80_000
    await behind
    expect(await refused).toBe('transaction/cancelled')
    proxy.refuse()
    await mint(ledger, 'refused', 'key')
    await expectBalanced(harness.fixture, ['refused', 'behind'])
  })

  test('is reported with the code and the words of the node, and nothing secret', async () => {
    const { wallet, client, events } = harness.fixture
    const nonce = await client.getTransactionCount({ address: wallet.address })
    refuseCalls(nonce)
    void outcomeOf(mint(await open(), 'refused'))
    const troubles = () => events.flatMap((it) => (it.kind === 'trouble' ? [it.error] : []))
    await until(() => troubles().length > 0)
    const [error] = troubles() as readonly { shortMessage?: string }[]
    expect(error?.shortMessage).toContain('code -32000')
    expect(error?.shortMessage).toContain('oversized data')
    expect(error?.shortMessage).not.toMatch(/s3cret|node\.example/)
  })
})
