import { nodePool } from '@heirloom/adapters/internal/nodes'
import { isFailure } from '@heirloom/core'
import { type Hex, parseTransaction, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Lie, type LyingProxy, startLyingProxy } from '../harness/chain/lying-proxy.ts'
import { mint, outcomeOf, until } from '../harness/nonce-lane/lane-fixture.ts'
import { laneHarness } from '../harness/nonce-lane/lane-harness.ts'
import { longestWait } from '../tier.ts'

const harness = laneHarness()

let proxy: LyingProxy
beforeEach(async () => {
  proxy = await startLyingProxy(harness.anvil.url)
})
afterEach(() => proxy.close())

const open = (more = {}) =>
  harness.fixture.open({ chain: proxy.url, resendAfter: 50, stuckAfter: 1_000_000, ...more })
const mintedCount = async () => (await harness.fixture.mintedHashes()).length
const countOf = (method: string) =>
  proxy.requests.flat().filter((call) => call.method === method).length
const isBlock = (method: string) => method === 'eth_getBlockByNumber'

/**
 * Hides the receipts of a node, and shows another transaction of the wallet in the newest block, under
 * the nonce of the last one.
 */
async function forgeries(): Promise<Readonly<Record<string, Lie>>> {
  const { wallet, client } = harness.fixture
  const stranger = privateKeyToAccount(generatePrivateKey())
  const nonce = await client.getTransactionCount({ address: wallet.address })
  const to = stranger.address
  const base = {
    nonce,
    to,
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: 10n ** 10n,
    type: 'eip1559',
  } as const
  const reported = async (signer: typeof stranger, chainId: number) => {
    const tx = { ...base, chainId, maxPriorityFeePerGas: 1n }
    const raw = await signer.signTransaction(tx)
    const { r, s, yParity } = parseTransaction(raw)
    return {
      r,
      s,
      yParity: toHex(yParity ?? 0),
      v: toHex(yParity ?? 0),
      hash: toHex(99n, { size: 32 }),
      from: wallet.address,
      to,
      input: '0x',
      type: '0x2',
      accessList: [],
      nonce: toHex(nonce),
      value: '0x1',
      gas: toHex(21_000),
      chainId: toHex(chainId),
      maxFeePerGas: toHex(10n ** 10n),
      maxPriorityFeePerGas: '0x1',
      gasPrice: '0x1',
    }
  }
  const hiding =
    (forged: object): Lie =>
    ({ method, params }, truth) => {
      if (method === 'eth_getTransactionReceipt') return null
      if (!isBlock(method) || params[1] !== true) return truth
      const block = truth as { transactions: object[] }
      return { ...block, transactions: [forged] }
    }
  const signer = wallet as typeof stranger
  return {
    'signed by somebody else': hiding(await reported(stranger, 31337)),
    'signed for another chain': hiding(await reported(signer, 1)),
    'without a signature': hiding({ ...(await reported(stranger, 31337)), r: '0x0', s: '0x0' }),
  }
}

test('no forged transaction under its nonce makes a write happen twice', async () => {
  const ledger = await open()
  await mint(ledger, 'before')
  let made = 1
  for (const name of Object.keys(await forgeries())) {
    // The nonce that they take is that of the next mint.
    proxy.lie((await forgeries())[name])
    const minting = mint(ledger, name)
    made += 1
    await until(async () => (await mintedCount()) === made)
    const searched = countOf('eth_getBlockByNumber')
    // The lane has looked for the transaction that took the nonce, and again.
    await until(() => countOf('eth_getBlockByNumber') > searched + 5)
    expect(harness.countEvents('lost'), name).toBe(0)
    proxy.lie()
    await minting
    expect(await mintedCount(), name).toBe(made)
  }
})

test('a transaction that the wallet did sign takes the nonce, and the write gets the next', async () => {
  const { wallet, client } = harness.fixture
  const ledger = await open()
  await mint(ledger, 'before')
  const nonce = await client.getTransactionCount({ address: wallet.address })
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n, gas: 21_000n }
  const foreign = await wallet.signTransaction({
    ...fees,
    nonce,
    to: wallet.address,
    chainId: 31337,
    type: 'eip1559',
  })
  await client.sendRawTransaction({ serializedTransaction: foreign })
  await mint(ledger, 'after')
  expect(harness.countEvents('lost')).toBe(1)
  expect(await mintedCount()).toBe(2)
})

test('a node that hides receipts for a while delays a write, and repeats none', async () => {
  const ledger = await open()
  proxy.lie(({ method }, truth) => (method === 'eth_getTransactionReceipt' ? null : truth))
  const minting = mint(ledger, 'hidden')
  await until(async () => (await mintedCount()) === 1 && countOf('eth_getTransactionReceipt') > 20)
  proxy.lie()
  await minting
  await mint(ledger, 'next')
  expect(await mintedCount()).toBe(2)
})

test('an absurd estimate of gas refuses the write before it is signed', async () => {
  const ledger = await open({ outageTimeout: 100 })
  proxy.lie(({ method }, truth) => (method === 'eth_estimateGas' ? toHex(2n ** 60n) : truth))
  const failure = await mint(ledger, 'dear').catch((error: unknown) => error)
  expect(isFailure(failure, 'ledger/unavailable')).toBe(true)
  proxy.lie()
  await mint(ledger, 'cheap')
  expect(await mintedCount()).toBe(1)
})

test('an estimate of gas below what an act takes at least is not believed', async () => {
  const ledger = await open({ outageTimeout: 100 })
  const estimates = [21_000, 80_000]
  for (const gas of estimates) {
    proxy.lie(({ method }, truth) => (method === 'eth_estimateGas' ? toHex(gas) : truth))
    expect(await outcomeOf(mint(ledger, 'cheap', 'key')), `${gas}`).toBe('ledger/unavailable')
  }
  let isFirst = true
  proxy.lie(({ method }, truth) => {
    const isWrong = method === 'eth_estimateGas' && isFirst
    isFirst &&= !isWrong
    return isWrong ? toHex(21_000) : truth
  })
  // Asked again: one wrong estimate delays a write, and refuses none.
  await mint(await open({ outageTimeout: longestWait }), 'cheap', 'key')
  expect([isFirst, await mintedCount()]).toEqual([false, 1])
})

test('a node that goes back 50 blocks for a while undoes nothing that was acknowledged', async () => {
  await harness.chain.mine({ blocks: 60 })
  const ledger = await open({ reorgDepth: 64, confirmations: 1 })
  const { txHash } = await mint(ledger, 'a', 'key-a')
  const height = await harness.fixture.client.getBlockNumber()
  const old = (await harness.fixture.client.request({
    method: 'eth_getBlockByNumber',
    params: [toHex(height - 50n), false],
  })) as object
  const blockAt = (tag: unknown, truth: unknown) => {
    if (tag === 'latest') return old
    return Number(tag) > Number(height) - 50 ? null : truth
  }
  const lies: Readonly<Record<string, unknown>> = {
    eth_blockNumber: toHex(height - 50n),
    eth_getTransactionReceipt: null,
    eth_getTransactionCount: '0x0',
  }
  proxy.lie(({ method, params: [first] }, truth) => {
    if (isBlock(method)) return blockAt(first, truth)
    return method in lies ? lies[method] : truth
  })
  const minting = mint(ledger, 'b')
  await until(async () => (await mintedCount()) === 2 && countOf('eth_getTransactionCount') > 20)
  expect(await ledger.recall('mint', { key: 'key-a', fingerprint: 'key-a' })).toMatchObject({
    txHash,
  })
  expect(harness.countEvents('reorganised')).toBe(0)
  proxy.lie()
  await minting
  expect(await mintedCount()).toBe(2)
})

test('a nonce far ahead, told by one node of several, is not used', async () => {
  const honest = await startLyingProxy(harness.anvil.url)
  const nodes = nodePool([proxy.url, honest.url])
  await nodes.check()
  proxy.lie(({ method, params }, truth) =>
    method === 'eth_getTransactionCount' && params[1] === 'pending' ? toHex(1_000_000) : truth,
  )
  const ledger = await open({ chain: nodes })
  await mint(ledger, 'a')
  expect(await mintedCount()).toBe(1)
  nodes.close()
  await honest.close()
})

test.each([
  ['once', 1],
  ['always, beside the true number of mined ones', Number.POSITIVE_INFINITY],
])('a nonce far ahead, told by a lone node %s, is not used', async (_, times) => {
  let lies = 0
  proxy.lie(({ method, params }, truth) => {
    const isLie = method === 'eth_getTransactionCount' && params[1] === 'pending' && lies < times
    lies += Number(isLie)
    return isLie ? toHex(1_000_000) : truth
  })
  const { wallet, client } = harness.fixture
  const before = await client.getTransactionCount({ address: wallet.address })
  await mint(await open({ stuckAfter: 0, cancelAfter: 1_000_000 }), 'a')
  expect(lies).toBeGreaterThan(0)
  const used = (await client.getTransactionCount({ address: wallet.address })) - before
  expect(used).toBeLessThanOrEqual(64)
  expect(await mintedCount()).toBe(1)
})

test('a mint in a row of mints takes two exchanges with the node', async () => {
  const ledger = await open()
  for (const name of ['warm', 'up']) await mint(ledger, name)
  proxy.requests.length = 0
  const hash: Hex = (await mint(ledger, 'counted')).txHash
  expect(hash).toMatch(/^0x/)
  const all = proxy.requests.map((calls) => calls.map(({ method }) => method).join(' '))
  // Where two mints take long enough for the price to grow old, it is asked once more.
  const kinds = all.filter((kind) => !kind.includes('eth_maxPriorityFeePerGas'))
  expect(all.length - kinds.length).toBeLessThan(2)
  expect(kinds[0]).toBe('eth_sendRawTransaction')
  const confirmation = 'eth_getBlockByNumber eth_getTransactionCount eth_getTransactionReceipt'
  expect(kinds).toContain(confirmation)
  // On a busy machine a part of it is asked once more.
  for (const kind of kinds.slice(1)) expect(` ${confirmation}`).toContain(` ${kind}`)
})

test('a mint asks the node for nothing new after a long history of blocks and of writes', async () => {
  const ledger = await open()
  const kindsOf = async (name: string) => {
    proxy.requests.length = 0
    for (const turn of [1, 2, 3]) await mint(ledger, `${name} ${turn}`)
    return proxy.requests.flat()
  }
  const young = new Set((await kindsOf('young')).map(({ method }) => method))
  for (let at = 0; at < 20; at++) await mint(ledger, `of the history ${at}`)
  for (let mined = 0; mined < 500; mined += 100) await harness.chain.mine({ blocks: 100 })
  const old = await kindsOf('old')
  expect(old.filter(({ method }) => !young.has(method))).toEqual([])
  // Nor does it read what blocks hold.
  expect(old.filter(({ method, params }) => isBlock(method) && params[1] === true)).toEqual([])
})

test('a first mint asks once before it is sent', async () => {
  await mint(await open(), 'first')
  const kinds = proxy.requests.map((calls) => calls.map(({ method }) => method))
  const sending = kinds.findIndex(([method]) => method === 'eth_sendRawTransaction')
  const expected = [
    'eth_estimateGas',
    'eth_getBalance',
    'eth_getBlockByNumber',
    ...['eth_getTransactionCount', 'eth_getTransactionCount'],
  ]
  expect(kinds[sending - 1]?.toSorted()).toEqual([...expected, 'eth_maxPriorityFeePerGas'])
})

test('a node that counts a transaction before it shows the receipt is asked again, not searched', async () => {
  const ledger = await open()
  let isCounted = false
  let hidden = 0
  proxy.lie(({ method }, truth) => {
    if (method === 'eth_getTransactionCount') isCounted = BigInt(truth) > 0n
    if (method !== 'eth_getTransactionReceipt' || (isCounted && ++hidden > 2)) return truth
    return null
  })
  await mint(ledger, 'late receipt')
  const searched = proxy.requests
    .flat()
    .filter(({ method, params }) => isBlock(method) && params[1] === true)
  expect([hidden, searched]).toEqual([3, []])
})
