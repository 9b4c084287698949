import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeDeployData, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { creationCode } from '../../packages/adapters/src/embedded-chain/test/transactions.ts'
import { walletContract } from '../harness/chain/contract-wallets.ts'
import { publicAccount } from '../harness/copier.ts'
import {
  agentOf,
  type HostedServer,
  hostServer,
  post,
  startServer,
} from '../harness/process/server.ts'
import { type RequestFlaws, relayerAt } from '../harness/relayer.ts'
import { sealerAt } from '../harness/sealer.ts'

const newWallet = () => privateKeyToAccount(generatePrivateKey())

/** Starts a server for one test. */
async function serverFor(environment: Readonly<Record<string, string>> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'relay-'))
  const server = await hostServer({ DATA_DIR: home, ...environment })
  onTestFinished(async () => {
    await server.end()
    rmSync(home, { recursive: true })
  })
  return { home, server, url: server.url }
}

const home = mkdtempSync(join(tmpdir(), 'relay-'))
let server: HostedServer
let relayer: Awaited<ReturnType<typeof relayerAt>>
beforeAll(async () => {
  server = await hostServer({ DATA_DIR: home, RPC_GAS: '3000000' })
  relayer = await relayerAt(server.url)
})
afterAll(async () => {
  await server.end()
  rmSync(home, { recursive: true })
})

test('an account with no native money makes, lists, sells, and gives its token away', async () => {
  const ada = newWallet()
  const { url } = server
  const sealer = await sealerAt(url, ada)
  const seal = await sealer.seal('made without money')
  const minted = await relayer.relay(await relayer.sign(ada, seal.transaction))
  expect(minted).toMatchObject({ status: 201, act: 'mint', tokenId: expect.any(String) })
  const id = BigInt(minted.tokenId ?? 0)
  expect(await sealer.open(`${id}`)).toEqual([200, 'made without money'])
  const terms = relayer.onMarketplace('list', [id, 1000n, 0n, 0n, 0n])
  const listed = await relayer.relay(await relayer.sign(ada, terms))
  expect(listed).toMatchObject({ status: 201, act: 'list' })
  const info = await (await fetch(`${url}/api/memory/${id}/info`)).json()
  expect(info).toMatchObject({ creator: ada.address })
  expect((await post(url, `/api/marketplace/buy/${id}`)).status).toBe(201)
  expect(await relayer.balanceOf(ada.address)).toBe(1000n)

  const second = await relayer.relay(await relayer.sign(ada, relayer.mint(ada.address)))
  const gift = [ada.address, newWallet().address, BigInt(second.tokenId ?? 0)]
  const given = await relayer.relay(
    await relayer.sign(ada, relayer.onRegistry('transferFrom', gift)),
  )
  expect(given).toMatchObject({ status: 201, act: 'transferFrom' })
})

test('a contract that refuses money withdraws to another account, by its own signature', async () => {
  const [ada, heir] = [newWallet(), newWallet()]
  const { abi, bytecode } = walletContract('SharedWallet')
  const funded = await sealerAt(server.url, publicAccount(4))
  const safe = await funded.deploy(encodeDeployData({ abi, bytecode, args: [[ada.address], 1n] }))
  const act = async (call: { readonly to: Hex; readonly data: Hex }) =>
    relayer.relay(await relayer.sign(ada, call, { from: safe }))
  const minted = await act(relayer.mint(safe))
  expect(minted).toMatchObject({ status: 201 })
  const id = BigInt(minted.tokenId ?? 0)
  expect(await act(relayer.onMarketplace('list', [id, 500n, 0n, 0n, 0n]))).toMatchObject({
    status: 201,
  })
  expect((await post(server.url, `/api/marketplace/buy/${id}`)).status).toBe(201)
  const withdrawn = await act(relayer.onMarketplace('withdraw', [heir.address]))
  expect(withdrawn).toMatchObject({ status: 201, act: 'withdraw' })
  expect(await relayer.balanceOf(heir.address)).toBe(500n)
  expect(await act(relayer.onMarketplace('withdraw', [heir.address]))).toMatchObject({
    status: 409,
    code: 'credit/none',
  })
})

describe('a call that nobody may have relayed', () => {
  const eve = newWallet()
  const { address } = eve

  test.each<[string, string, () => { readonly to: Hex; readonly data: Hex }, RequestFlaws]>([
    ['an approval', 'relay/not-allowed', () => relayer.onRegistry('approve', [address, 1n]), {}],
    [
      'an approval for all',
      'relay/not-allowed',
      () => relayer.onRegistry('setApprovalForAll', [address, true]),
      {},
    ],
    [
      'a call of the forwarder itself',
      'relay/not-allowed',
      () => ({ ...relayer.mint(address), to: relayer.deployment.forwarder }),
      {},
    ],
    [
      'a call of another contract',
      'relay/not-allowed',
      () => ({ ...relayer.mint(address), to: address }),
      {},
    ],
    ['a purchase', 'relay/not-allowed', () => relayer.onMarketplace('buy', [1n, address]), {}],
    [
      'a function of the other contract',
      'relay/not-allowed',
      () => ({ ...relayer.mint(address), to: relayer.deployment.marketplace }),
      {},
    ],
    ['native money', 'relay/not-allowed', () => relayer.mint(address), { value: 1n }],
    ['a gas bomb', 'relay/too-much-gas', () => relayer.mint(address), { gas: 16_000_000n }],
    [
      'a deadline in a year',
      'relay/bad-deadline',
      () => relayer.mint(address),
      { seconds: 31_536_000 },
    ],
    [
      'a deadline that has passed',
      'relay/bad-deadline',
      () => relayer.mint(address),
      { seconds: -5 },
    ],
    ['another chain', 'relay/not-signed', () => relayer.mint(address), { chainId: 1 }],
    ['another forwarder', 'relay/not-signed', () => relayer.mint(address), { forwarder: address }],
    ['a later nonce', 'relay/not-signed', () => relayer.mint(address), { nonce: 1n }],
    [
      'another account',
      'relay/not-signed',
      () => relayer.mint(address),
      { from: newWallet().address },
    ],
  ])('%s is refused with %s, and costs nothing', async (_, code, call, flaws) => {
    const { agent } = relayer.deployment
    const before = [await relayer.balanceOf(agent), await relayer.tokens()]
    const reply = await relayer.relay(await relayer.sign(eve, call(), flaws))
    expect(reply.code).toBe(code)
    expect([400, 403]).toContain(reply.status)
    expect([await relayer.balanceOf(agent), await relayer.tokens()]).toEqual(before)
  })

  test('a request in the name of the agent, even one that the agent signed', async () => {
    const agent = agentOf(home)
    const tokens = await relayer.tokens()
    const pair = relayer.mint(agent.address)
    expect(await relayer.relay(await relayer.sign(agent, pair))).toMatchObject({
      status: 403,
      code: 'relay/not-allowed',
    })
    expect(
      await relayer.relay(await relayer.sign(eve, pair, { from: agent.address })),
    ).toMatchObject({
      status: 403,
      code: 'relay/not-allowed',
    })
    expect(await relayer.tokens()).toBe(tokens)
  })

  test('a contract that burns the gas of whoever asks for its signature', async () => {
    const funded = await sealerAt(server.url, publicAccount(3))
    const burner = await funded.deploy(creationCode('0x5b600056'))
    const { agent } = relayer.deployment
    const before = await relayer.balanceOf(agent)
    const request = await relayer.sign(eve, relayer.mint(burner), { from: burner })
    expect(await relayer.relay(request)).toMatchObject({ status: 403, code: 'relay/not-signed' })
    expect(await relayer.balanceOf(agent)).toBe(before)
  })

  test('a call that fails is named as the contracts name it, and costs nothing', async () => {
    const before = await relayer.balanceOf(relayer.deployment.agent)
    for (const [call, code] of [
      [relayer.onMarketplace('list', [99_999n, 1n, 0n, 0n, 0n]), 'token/not-found'],
      [relayer.mint(relayer.deployment.registry), 'recipient/invalid'],
      [relayer.onMarketplace('withdraw', [address]), 'credit/none'],
    ] as const) {
      expect((await relayer.relay(await relayer.sign(eve, call))).code).toBe(code)
    }
    expect(await relayer.balanceOf(relayer.deployment.agent)).toBe(before)
  })
})

test('a request is sent once, though it arrives a hundred times at once and once more after', async () => {
  const ada = newWallet()
  const request = await relayer.sign(ada, relayer.mint(ada.address))
  const tokens = await relayer.tokens()
  const replies = await Promise.all(Array.from({ length: 100 }, () => relayer.relay(request)))
  const [first] = replies
  expect(first?.status).toBe(201)
  for (const reply of [...replies, await relayer.relay(request)]) expect(reply).toEqual(first)
  expect(await relayer.tokens()).toBe(tokens + 1n)
  expect(await relayer.nonceOf(ada.address)).toBe(1n)
})

test('two requests of an account for one nonce: one is sent, and the other refused', async () => {
  const ada = newWallet()
  const tokens = await relayer.tokens()
  const one = await relayer.sign(ada, relayer.mint(ada.address))
  const two = await relayer.sign(ada, relayer.mint(ada.address, `0x${'8'.repeat(64)}`))
  const replies = await Promise.all([relayer.relay(one), relayer.relay(two)])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 403])
  expect(await relayer.tokens()).toBe(tokens + 1n)
})

test('an order that nobody could get a refund of, or that costs too little, is refused', async () => {
  const [nobody, ada] = [`0x${'0'.repeat(40)}`, newWallet().address]
  const { dollar } = (await (await fetch(`${server.url}/api/deployment`)).json()) as {
    readonly dollar: { readonly address: Hex }
  }
  const order = {
    act: 'buy',
    tokenId: '1',
    asset: dollar.address,
    price: '5000000',
    numberOfDays: '0',
    maxRoyaltyBps: '0',
    deadline: '99999999999',
    salt: `0x${'5'.repeat(64)}`,
  }
  const settle = (more: object) => relayer.post({ settle: { order: { ...order, ...more } } })
  expect(await settle({ recipient: nobody, refundTo: nobody })).toMatchObject({
    status: 400,
    code: 'recipient/invalid',
  })
  const { forwarder } = relayer.deployment
  expect(await settle({ recipient: ada, refundTo: forwarder })).toMatchObject({
    status: 400,
    code: 'recipient/invalid',
  })
  expect(await settle({ recipient: ada, refundTo: nobody, price: '9999' })).toMatchObject({
    status: 403,
    code: 'relay/underpriced',
  })
  expect(await settle({ recipient: ada, refundTo: nobody })).toMatchObject({
    status: 402,
    code: 'order/short',
    facts: { price: '5000000', paid: '0' },
  })
})

test('on a server with API keys a visitor needs one, unless the relay is open', async () => {
  const keys = { API_KEYS: 'a-key-of-some-length' }
  const ada = newWallet()
  const closed = await relayerAt((await serverFor(keys)).url)
  const refused = await closed.relay(await closed.sign(ada, closed.mint(ada.address)))
  expect(refused).toMatchObject({ status: 401, code: 'request/not-authorized' })
  const open = await relayerAt((await serverFor({ ...keys, OPEN_ACTS: 'relay' })).url)
  const done = await open.relay(await open.sign(ada, open.mint(ada.address)))
  expect(done.status).toBe(201)
})

test('a request is sent exactly once, though the server is killed at any moment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'relay-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const ada = newWallet()
  for (const [round, delay] of [0, 3, 8, 15, 30].entries()) {
    const first = await startServer({ DATA_DIR: folder })
    const before = await relayerAt(first.url)
    const hash: Hex = `0x${`${round + 1}`.repeat(64)}`
    const request = await before.sign(ada, before.mint(ada.address, hash))
    const sent = before.relay(request).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, delay))
    await first.end('SIGKILL')
    await sent
    const second = await hostServer({ DATA_DIR: folder })
    const after = await relayerAt(second.url)
    expect(await after.relay(request)).toMatchObject({ status: 201, tokenId: `${round + 1}` })
    expect([await after.tokens(), await after.nonceOf(ada.address)]).toEqual([
      BigInt(round + 1),
      BigInt(round + 1),
    ])
    await second.end()
  }
})
