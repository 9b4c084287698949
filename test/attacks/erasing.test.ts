import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../packages/http/src/config/config.ts'
import { serve } from '../../packages/http/src/server/serve.ts'
import { copierAt, publicAccount } from '../harness/copier.ts'
import { eraserAt } from '../harness/eraser.ts'
import { agentOf, downloadAs, post, type Snapshot } from '../harness/process/server.ts'
import { pairOfSeal, sealerAt } from '../harness/sealer.ts'

const [maker, thief, friend] = [publicAccount(5), publicAccount(6), publicAccount(7)]

const home = mkdtempSync(join(tmpdir(), 'erasing-'))
let server: Awaited<ReturnType<typeof serve>>
let sealer: Awaited<ReturnType<typeof sealerAt>>
let market: Record<'maker' | 'thief' | 'friend', Awaited<ReturnType<typeof copierAt>>>
let eraser: Awaited<ReturnType<typeof eraserAt>>

beforeAll(async () => {
  server = await serve(readConfig({ DATA_DIR: home, PORT: '0', LOG_LEVEL: 'silent' }))
  await server.ready
  const { url } = server
  sealer = await sealerAt(url, maker)
  market = {
    maker: await copierAt(url, maker),
    thief: await copierAt(url, thief),
    friend: await copierAt(url, friend),
  }
  eraser = await eraserAt(url)
})
afterAll(async () => {
  await server.close()
  rmSync(home, { recursive: true })
})

let plans = 0

/** Makes a memory of the maker; returns its token and what its mint published. */
async function made() {
  plans += 1
  const sealed = await sealer.seal(`plan ${plans}`)
  return { id: await sealer.mint(sealed), pair: pairOfSeal(sealed) }
}

const statusFor = async (wallet: typeof maker, id: string) =>
  (await downloadAs(wallet, server.url, id)).status

/** The answers to those who may open a token, and to those who ask for its bytes. */
async function expectErased(id: string) {
  expect(await statusFor(maker, id)).toBe(410)
  const integrity = await eraser.read(`/api/memory/${id}/integrity`)
  expect([integrity.status, integrity.code]).toEqual([410, 'memory/erased'])
}

describe('the owner of a memory', () => {
  test('erases it for ever, once, with any number of requests, and the token says so', async () => {
    const { id } = await made()
    const other = await made()
    const erased = await eraser.erase(maker, id)
    expect(erased).toMatchObject({ status: 200, isRemoved: true })
    await expectErased(id)
    expect(await eraser.erase(maker, id)).toEqual(erased)
    const { erasedAt } = erased
    expect(await eraser.read(`/api/memory/${id}/info`)).toMatchObject({ status: 200, erasedAt })
    expect(await statusFor(maker, other.id)).toBe(200)
    expect(await eraser.read(`/api/memory/${other.id}/info`)).not.toHaveProperty('erasedAt')
  })

  test('leaves the version in the log of its name, without its content, and the name goes on', async () => {
    const save = async (text: string, after: string) => {
      const body = { data: { text }, metadata: { category: 'any' }, name: 'ada', after }
      const reply = await post(server.url, '/api/memory/snapshot', JSON.stringify(body))
      expect(reply.status).toBe(201)
      return ((await reply.json()) as Snapshot).tokenId
    }
    const operator = agentOf(home)
    const first = await save('first', '0')
    const { erasedAt } = await eraser.erase(operator, first)
    const second = await save('second', first)
    expect(await eraser.read('/api/names/ada/versions')).toMatchObject({
      items: [
        { version: 2, tokenId: second, erasedAt: null },
        { version: 1, tokenId: first, erasedAt },
      ],
    })
    expect([await statusFor(operator, second), await statusFor(operator, first)]).toEqual([
      200, 410,
    ])
  })

  test('erases it in spite of copies, which open nothing', async () => {
    const { id, pair } = await made()
    for (const by of [market.thief, market.friend]) await by.mint(pair)
    await market.thief.mint(pair, maker.address)
    expect(await eraser.erase(maker, id)).toMatchObject({ status: 200 })
    await expectErased(id)
  })

  test('takes a listing down before, so that nobody pays meanwhile', async () => {
    const { id } = await made()
    await market.maker.offer(id)
    expect(await eraser.erase(maker, id)).toMatchObject({ status: 409, code: 'memory/listed' })
    expect(await statusFor(maker, id)).toBe(200)
  })

  test('waits for the end of a rental that somebody paid', async () => {
    const { id } = await made()
    await market.maker.offer(id)
    await market.friend.rent(id)
    await market.maker.unlist(id)
    const refused = await eraser.erase(maker, id)
    expect(refused).toMatchObject({ code: 'memory/rented', facts: { renter: friend.address } })
    expect(await statusFor(friend, id)).toBe(200)
  })

  test('erases what only the owner has rented', async () => {
    const { id } = await made()
    await market.maker.offer(id)
    await market.maker.rent(id)
    await market.maker.unlist(id)
    expect(await eraser.erase(maker, id)).toMatchObject({ status: 200 })
  })

  test('erases nothing that the owner of a fork holds, nor does that one', async () => {
    const { id } = await made()
    await market.maker.offer(id)
    const [fork = ''] = await market.friend.fork(id)
    await market.maker.unlist(id)
    const refused = { status: 409, code: 'memory/shared' }
    expect(await eraser.erase(maker, id)).toMatchObject(refused)
    expect(await eraser.erase(friend, fork)).toMatchObject(refused)
    expect([await statusFor(maker, id), await statusFor(friend, fork)]).toEqual([200, 200])
    await market.friend.transfer(fork, maker.address)
    expect(await eraser.erase(maker, fork)).toMatchObject({ status: 200 })
    for (const it of [id, fork]) await expectErased(it)
  })
})

describe('a stranger erases no memory', () => {
  test('with a copy of its pair', async () => {
    const { id, pair } = await made()
    const [copy = ''] = await market.thief.mint(pair)
    const [described = ''] = await market.thief.mintDescribed(pair)
    for (const it of [copy, described]) {
      expect(await eraser.erase(thief, it)).toMatchObject({ status: 403, code: 'access/copied' })
    }
    const [given = ''] = await market.maker.mint(pair, thief.address)
    expect(await eraser.erase(thief, given)).toMatchObject({ code: 'memory/shared' })
    expect(await statusFor(maker, id)).toBe(200)
  })

  test('who made and sold it, with a token of its bytes and another content hash', async () => {
    const { id, pair } = await made()
    await market.maker.transfer(id, friend.address)
    const [again = ''] = await market.maker.mint({ ...pair, contentHash: pair.digest })
    expect(await eraser.erase(maker, again)).toMatchObject({ code: 'bundle/altered' })
    expect(await statusFor(friend, id)).toBe(200)
  })

  test('that names its block as the card of an own one', async () => {
    const victim = await made()
    const own = await made()
    // The card of this token is the sealed block of the victim.
    const [described = ''] = await market.thief.mintDescribed(victim.pair)
    expect(described).not.toBe('')
    await eraser.erase(maker, own.id)
    expect(await statusFor(maker, victim.id)).toBe(200)
  })

  test('with the signature of somebody else, or for something else', async () => {
    const { id } = await made()
    const { id: others } = await made()
    const refusals = [
      await eraser.erase(thief, id),
      await eraser.erase(thief, id, { account: maker.address }),
      await eraser.erase(maker, id, { signed: others }),
      await eraser.erase(maker, id, { place: { host: 'memories.example' } }),
      await eraser.erase(maker, id, { place: { chainId: 1 } }),
      await eraser.erase(maker, id, { place: { registry: thief.address } }),
      await eraser.erase(maker, id, { seconds: -600 }),
      await eraser.erase(maker, id, { seconds: 600 }),
    ]
    expect(refusals.map(({ code }) => code)).toEqual([
      'token/not-owner',
      ...Array.from({ length: 5 }, () => 'proof/not-signed'),
      ...['proof/stale', 'proof/stale'],
    ])
    expect(await statusFor(maker, id)).toBe(200)
  })

  test('with a proof of its owner for a download', async () => {
    const { id } = await made()
    const timestamp = `${Math.floor(Date.now() / 1000)}`
    const message = `service:access:${id}:${maker.address}:${timestamp}`
    const headers = {
      'x-wallet-address': maker.address,
      'x-signature': await maker.signMessage({ message }),
      'x-timestamp': timestamp,
    }
    expect(await eraser.send(id, headers)).toMatchObject({ code: 'proof/not-signed' })
    const { 'x-signature': _, ...unsigned } = headers
    expect(await eraser.send(id, unsigned)).toMatchObject({ code: 'proof/missing' })
  })

  test('with a signature that was good until the token was sold', async () => {
    const { id } = await made()
    const headers = await eraser.headersOf(maker, id)
    await market.maker.transfer(id, friend.address)
    expect(await eraser.send(id, headers)).toMatchObject({ code: 'token/not-owner' })
    expect(await statusFor(friend, id)).toBe(200)
  })

  test('of another wallet through the agent of the server', async () => {
    const { id } = await made()
    expect(await eraser.send(id)).toMatchObject({ code: 'token/not-owner' })
  })

  test('that does not exist', async () => {
    expect(await eraser.erase(maker, '999999')).toMatchObject({ code: 'token/not-found' })
    const nobody = privateKeyToAccount(generatePrivateKey())
    expect(await eraser.erase(nobody, '999999')).toMatchObject({ code: 'token/not-found' })
  })
})

test('nobody buys an erased memory of the server, and its owner lists it no more', async () => {
  const { id } = await made()
  await eraser.erase(maker, id)
  await market.maker.offer(id)
  const buy = async (act: string, body: object = {}) => {
    const path = `${server.url}/api/marketplace/${act}/${id}`
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(path, init)
    return [response.status, ((await response.json()) as { code: string }).code]
  }
  const gone = [410, 'memory/erased']
  expect(await buy('buy')).toEqual(gone)
  expect(await buy('fork')).toEqual(gone)
  expect(await buy('rent', { durationDays: 1 })).toEqual(gone)
  const listings = await (await fetch(`${server.url}/api/marketplace/listings`)).json()
  const { items } = listings as { items: readonly { tokenId: string }[] }
  expect(items.map(({ tokenId }) => tokenId)).not.toContain(id)
})

test('an erasure and a sale at the same time leave an owner, and never half of a memory', async () => {
  const { id } = await made()
  await market.maker.offer(id)
  const [erased] = await Promise.all([
    eraser.erase(maker, id),
    market.friend.buy(id).catch(() => undefined),
  ])
  expect(erased.code).toMatch(/^(memory\/listed|token\/not-owner)$/)
  expect(await statusFor(friend, id)).toBe(200)
  expect(await eraser.erase(maker, id)).toMatchObject({ code: 'token/not-owner' })
  expect(await eraser.erase(friend, id)).toMatchObject({ status: 200 })
})

test.each([
  ['other machines reach', { HOST: '0.0.0.0' }],
  ['a proxy leads to', { PUBLIC_URL: 'https://memory.example' }],
  ['a trusted proxy leads to', { TRUST_PROXY: '1' }],
])('a stranger erases nothing of an open server that %s', async (_, settings) => {
  const folder = mkdtempSync(join(tmpdir(), 'erasing-'))
  const quiet = { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent' }
  const config = { ...quiet, OPEN_WRITES: 'true', ...settings }
  const open = await serve(readConfig(config))
  try {
    await open.ready
    const url = `http://127.0.0.1:${new URL(open.url).port}`
    const body = { data: { text: 'of the agent' }, metadata: { category: 'any' } }
    const minted = await post(url, '/api/memory/snapshot', JSON.stringify(body))
    const { tokenId } = (await minted.json()) as Snapshot
    const { send } = await eraserAt(url)
    expect(await send(tokenId)).toMatchObject({ status: 403, code: 'proof/missing' })
    expect((await downloadAs(agentOf(folder), url, tokenId)).status).toBe(200)
  } finally {
    await open.close()
    rmSync(folder, { recursive: true })
  }
})
