import { sqlNames } from '@heirloom/adapters/internal/names'
import { sqliteJobStore } from '@heirloom/adapters/job-store'
import { type Account, type TokenId, toSeconds } from '@heirloom/core'
import type { InjectOptions } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bodyDigestOf, sealHeaders } from '../../../test/seal-headers.ts'
import {
  addressOf,
  agent,
  deployment,
  memory,
  openHarness,
  other,
  stranger,
} from '../../../test/server-harness.ts'
import { namesText } from '../../api/signed-texts.ts'
import { metrics } from '../../observability/metrics.ts'
import { keyDigest, keyRing } from '../api-keys/key-ring.ts'

type Options = NonNullable<Parameters<typeof openHarness>[0]>

/** Opens a server whose names are in tables, and functions that save and read. */
async function openNames(options: Options = {}) {
  const store = await sqliteJobStore(':memory:')
  onTestFinished(store.close)
  const { registry, chainId } = deployment
  let find: (creator: Account, hash: string) => Promise<TokenId | undefined> = async () => undefined
  const names = sqlNames(store, {
    registry: { chainId, address: registry },
    findMinted: ({ creator, contentHash }) => find(creator, contentHash),
  })
  const harness = openHarness({ ...options, names, seals: { store, names } })
  find = async (creator, contentHash) => {
    const { items } = await harness.catalogue.tokens({ creator, limit: 100 })
    return items.find((it) => it.contentHash === contentHash)?.tokenId
  }
  const inject = async (request: InjectOptions) => {
    const reply = await harness.server.inject(request)
    return { status: reply.statusCode, body: reply.body === '' ? undefined : reply.json() }
  }
  let saves = 100
  // Each one has other bytes, of the same length, since the same would be no version; a repeated key has the same.
  const save = (more: object, headers = {}) => {
    saves += 1
    const data = 'idempotency-key' in headers ? memory.data : { mood: `c${saves}` }
    const payload = { ...memory, data, ...more }
    return inject({ method: 'POST', url: '/api/memory/snapshot', headers, payload })
  }
  const get = (path: string, headers = {}) => inject({ url: `/api/names${path}`, headers })
  return { ...harness, names, inject, save, get }
}

const ada = { name: 'ada' }
const named = (text: string) => ({ authorization: `Bearer ${text}` })
const storedKey = (name: string, scope: 'read' | 'write' | 'admin', more = {}) => ({
  name,
  scope,
  sha256: keyDigest(`the-key-of-${name}`),
  ...more,
})
const keys = keyRing({
  plain: [],
  stored: [storedKey('ci', 'write'), storedKey('bot', 'write'), storedKey('eye', 'read')],
})
const as = (name: string) => named(`the-key-of-${name}`)
const code = (reply: { body: { code?: string } }) => reply.body.code

describe('a save to a name', () => {
  test('mints the next version with the last one as its parent', async () => {
    const { save, get, chain } = await openNames()
    const replies = [await save(ada), await save({ ...ada, after: '1' }), await save(ada)]
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(replies.map(({ body }) => body.version)).toEqual([1, 2, 3])
    expect([1n, 2n, 3n].map((id) => chain.provenance(id as TokenId)?.parent)).toEqual([
      undefined,
      1n,
      2n,
    ])
    const { body } = await get('/ada/versions?limit=2')
    const [newest] = body.items
    expect(body.items.map((it: { tokenId: string }) => it.tokenId)).toEqual(['3', '2'])
    expect(newest).toMatchObject({
      version: 3,
      savedBy: 'operator',
      owner: addressOf(agent),
      isTransferred: false,
      documentBytes: JSON.stringify(memory).length,
      storedBytes: expect.any(Number),
      contentHash: replies[2]?.body.contentHash,
    })
    expect(code(await get('/ada/versions?after=zzz'))).toBe('request/malformed')
    expect((await get(`/ada/versions?after=${body.next}`)).body.items).toMatchObject([
      { version: 1 },
    ])
    expect((await get('')).body).toEqual({ items: [{ name: 'ada', last: newest }], next: null })
    expect((await get('/ada')).body).toEqual({ name: 'ada', last: newest })
  })

  test('that lost a race mints nothing and pays nothing, and says what is newest', async () => {
    const { save, state } = await openNames()
    await save(ada)
    const race = await Promise.all([0, 1, 2, 3].map(() => save({ ...ada, after: '1' })))
    expect(race.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
    const lost = race.filter(({ status }) => status === 409)
    for (const { body } of lost) {
      expect(body).toMatchObject({
        code: 'name/moved',
        retryable: false,
        facts: { name: 'ada', tokenId: '2', version: 2 },
      })
    }
    expect((await state()).tokens.length).toBe(2)
    const before = await state()
    for (const after of ['0', '1', '3']) {
      expect(code(await save({ ...ada, after }))).toBe('name/moved')
    }
    expect(code(await save({ ...ada, parentTokenId: '1' }))).toBe('name/moved')
    expect(code(await save({ ...ada, parentTokenId: '77' }))).toBe('name/moved')
    expect(code(await save({ after: '2' }))).toBe('request/malformed')
    expect(code(await save({ name: 'Ada' }))).toBe('name/malformed')
    expect(code(await save({ name: 'a\u202Eb' }))).toBe('name/malformed')
    expect(await state()).toEqual(before)
    expect((await save(ada)).body.version).toBe(3)
  })

  test('that fails leaves the name as it was, and its key free', async () => {
    const { save, get, names } = await openNames()
    const headers = { 'idempotency-key': 'once' }
    const bad = { ...ada, metadata: {} }
    expect(code(await save(bad, headers))).toBe('request/malformed')
    expect(code(await get('/ada'))).toBe('name/not-found')
    const first = await save(ada, headers)
    expect(await save(ada, headers)).toEqual(first)
    expect(code(await save({ name: 'bob' }, headers))).toBe('idempotency/key-reused')
    await save(ada)
    // Also when the name has moved on since.
    expect(await save(ada, headers)).toEqual(first)
    expect((await names.find({ owner: 'operator', name: 'ada' as never }))?.last.version).toBe(2)
  })
})

describe('names belong to', () => {
  test('the API key that saved, and nobody else sees them', async () => {
    const { save, get, inject } = await openNames({ keys })
    await save(ada, as('ci'))
    await save(ada, as('bot'))
    expect((await get('/ada', as('ci'))).body.last).toMatchObject({ tokenId: '1', savedBy: 'ci' })
    expect((await get('/ada', as('bot'))).body.last).toMatchObject({ tokenId: '2', version: 1 })
    expect((await get('', as('eye'))).body.items).toEqual([])
    expect(code(await get('/ada/versions', as('eye')))).toBe('name/not-found')
    expect((await get('')).status).toBe(401)
    const rename = (name: string) =>
      inject({ method: 'PATCH', url: '/api/names/ada', payload: { name }, headers: as(name) })
    expect(code(await rename('eye'))).toBe('api-key/out-of-scope')
    expect((await rename('bot')).body.name).toBe('bot')
    expect((await get('/ada', as('ci'))).body.last.tokenId).toBe('1')
  })

  test('nobody on an open server that others reach', async () => {
    const { save, get, state } = await openNames({ config: { host: '0.0.0.0' } })
    const before = await state()
    for (const reply of [await save(ada), await get(''), await get('/ada')]) {
      expect([reply.status, code(reply)]).toEqual([401, 'name/no-owner'])
    }
    expect(await state()).toEqual(before)
    const behind = await openNames({ config: { publicUrl: 'https://memory.example' } })
    expect(code(await behind.save(ada))).toBe('name/no-owner')
  })

  test('not the operator where a proof has lost its signature on the way', async () => {
    const { save, get, inject } = await openNames()
    await save(ada)
    const headers = { 'x-wallet-address': other.address, 'x-timestamp': '1800000000' }
    for (const method of ['GET', 'DELETE'] as const) {
      const reply = await inject({ method, url: '/api/names/ada', headers })
      expect([reply.status, code(reply)]).toEqual([403, 'proof/missing'])
    }
    expect((await get('/ada')).status).toBe(200)
  })

  test('the account that proves itself, for one request at one server', async () => {
    const { inject, get, clock, chain } = await openNames()
    const place = { ...deployment, host: 'localhost' }
    const timestamp = () => toSeconds(clock.now())
    const seal = async (body: object, wallet = other) => {
      const payload = JSON.stringify({ ...memory, ...body })
      const headers = await sealHeaders(wallet, payload, { place, timestamp: timestamp() })
      return inject({ method: 'POST', url: '/api/memory/seal', headers, payload })
    }
    const proven = async (method: string, path: string, { payload = '', wallet = other } = {}) => {
      const bodyDigest = payload === '' ? undefined : bodyDigestOf(payload)
      const claim = { account: wallet.address, timestamp: timestamp(), method, path, bodyDigest }
      return {
        'x-wallet-address': wallet.address,
        'x-timestamp': `${claim.timestamp}`,
        'x-signature': await wallet.signMessage({ message: namesText(place, claim) }),
      }
    }
    const mint = async ({ contentHash, storageUri, parentTokenId }: Record<string, string>) => {
      const parent = parentTokenId === '0' ? undefined : BigInt(parentTokenId ?? 0)
      const digest = storageUri?.replace('v2:ipfs://', '')
      const token = { contentHash, digest, parent, recipient: addressOf(other) }
      await chain.ledger(addressOf(other)).mint(token as never)
    }
    const first = await seal({ name: 'ada/trading' })
    expect(first.status).toBe(201)
    // It holds its name until it is minted.
    expect(await seal({ name: 'ada/trading', metadata: { category: 'b' } })).toMatchObject({
      status: 409,
      body: { code: 'name/held', retryable: true, facts: { until: first.body.expiresAt } },
    })
    const url = '/api/names/ada%2Ftrading'
    const headers = await proven('GET', url)
    expect(code(await inject({ url, headers }))).toBe('name/not-found')
    await mint(first.body)
    expect((await inject({ url, headers })).body.last).toMatchObject({
      version: 1,
      tokenId: '1',
      savedBy: addressOf(other),
      txHash: null,
    })
    const second = await seal({ name: 'ada/trading', after: '1' })
    expect(second.body.parentTokenId).toBe('1')
    expect(code(await seal({ name: 'ada/trading', after: '7' }))).toBe('name/held')
    await mint(second.body)
    expect(code(await seal({ name: 'ada/trading', after: '1', data: {} }))).toBe('name/moved')
    // The signature is of no use for another path, method, body, account or time.
    expect(code(await get('', headers))).toBe('proof/not-signed')
    expect(code(await get('/ada%2Ftrading/versions', headers))).toBe('proof/not-signed')
    expect(code(await inject({ method: 'DELETE', url, headers }))).toBe('proof/not-signed')
    const thief = { ...headers, 'x-wallet-address': stranger.address }
    expect(code(await inject({ url, headers: thief }))).toBe('proof/not-signed')
    const theirs = await proven('GET', url, { wallet: stranger })
    expect(code(await inject({ url, headers: theirs }))).toBe('name/not-found')
    const payload = '{"name":"ada"}'
    const change = await proven('PATCH', url, { payload })
    const json = { ...change, 'content-type': 'application/json' }
    const swapped = { method: 'PATCH', url, headers: json, payload: '{"name":"eve"}' } as const
    expect(code(await inject(swapped))).toBe('proof/not-signed')
    expect((await inject({ ...swapped, payload })).body.name).toBe('ada')
    // Whoever sees the proof cannot take away what guards the request.
    const guarded = '/api/names/ada?after=999'
    const signed = await proven('DELETE', guarded)
    const forgetAll = { method: 'DELETE', url: '/api/names/ada', headers: signed } as const
    expect(code(await inject(forgetAll))).toBe('proof/not-signed')
    expect(code(await inject({ ...forgetAll, url: guarded }))).toBe('name/moved')
    const gone = { method: 'DELETE', url: '/api/names/ada' } as const
    const forget = { ...gone, headers: await proven('DELETE', gone.url) }
    expect((await inject(forget)).status).toBe(204)
    clock.advance(121_000)
    expect(code(await inject({ url, headers }))).toBe('proof/stale')
  })
})

test('a token that was sold stays in the log and says so; a forgotten name keeps its tokens', async () => {
  const { save, get, inject, chain } = await openNames()
  await save(ada)
  await save(ada)
  await chain.transfer(addressOf(agent), 1n as TokenId, addressOf(stranger))
  const { items } = (await get('/ada/versions')).body
  expect(items).toMatchObject([
    { tokenId: '2', isTransferred: false, owner: addressOf(agent) },
    { tokenId: '1', isTransferred: true, owner: addressOf(stranger) },
  ])
  const forget = (after: string) =>
    inject({ method: 'DELETE', url: `/api/names/ada?after=${after}` })
  expect(code(await forget('1'))).toBe('name/moved')
  expect(code(await forget('x'))).toBe('request/malformed')
  expect((await forget('2')).status).toBe(204)
  expect(code(await forget('2'))).toBe('name/not-found')
  expect(code(await get('/ada'))).toBe('name/not-found')
  expect((await inject({ url: '/api/memory' })).body.items.length).toBe(2)
  expect((await save(ada)).body.version).toBe(1)
  await save({ name: 'bob' })
  const rename = { method: 'PATCH', url: '/api/names/ada', payload: { name: 'bob' } } as const
  expect(code(await inject(rename))).toBe('name/taken')
})

test('a name is shown to nobody else: not in catalogue, events, metrics, or the log at any level', async () => {
  const lines: string[] = []
  const logger = { level: 'trace', stream: { write: (line: string) => lines.push(line) } } as const
  const meters = metrics()
  const { save, get, inject, server } = await openNames({ logger, metrics: meters })
  const secret = 'quokka'
  await save({ name: secret })
  await save({ name: secret, after: '9' })
  await get(`/${secret}`)
  await get(`/${secret}/versions`)
  await inject({ method: 'PATCH', url: `/api/names/${secret}`, payload: { name: `${secret}/x` } })
  await inject({ method: 'DELETE', url: `/api/names/${secret}%2Fx` })
  await inject({ method: 'DELETE', url: `/api/names/${secret}` })
  await inject({ method: 'POST', url: `/api/names/${secret}` })
  const texts = await Promise.all(
    ['/api/memory', '/api/memory/1/info', '/api/memory/1/history', '/metrics'].map(
      async (url) => (await server.inject({ url })).body,
    ),
  )
  expect(texts[0]).toContain('"tokenId":"1"')
  for (const text of [...texts, ...lines]) expect(text).not.toContain(secret)
})
