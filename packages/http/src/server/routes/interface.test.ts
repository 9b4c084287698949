import { createHash } from 'node:crypto'
import { toSeconds } from '@heirloom/core'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  agent,
  listToken,
  memory,
  mintToken,
  openHarness,
  other,
  post,
  proofOf,
  type ServerHarness,
} from '../../../test/server-harness.ts'

const hex32 = /^0x[0-9a-f]{64}$/
const terms = { price: '700', rentalPricePerDay: '30', forkPrice: '90', forkRoyaltyBps: 500 }

let harness: ServerHarness
beforeEach(() => {
  harness = openHarness()
})

const get = (url: string, headers = {}) => harness.server.inject({ url, headers })
const download = async (id: string, wallet = agent) =>
  get(`/api/memory/${id}`, await proofOf(wallet, id, toSeconds(harness.clock.now())))

describe('POST /api/memory/snapshot (2.2, 4.1)', () => {
  test('answers 201 with exactly the five fields', async () => {
    const reply = await post(harness, '/api/memory/snapshot', memory)
    expect(reply.statusCode).toBe(201)
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(reply.json()).toEqual({
      tokenId: '1',
      contentHash: expect.stringMatching(hex32),
      storageUri: expect.stringMatching(/^v2:ipfs:\/\/0x[0-9a-f]{64}$/),
      txHash: expect.stringMatching(hex32),
      timestamp: harness.clock.now(),
    })
  })

  test.each([undefined, '0'])('makes a root of parentTokenId %s', async (parentTokenId) => {
    const id = await mintToken(harness, { parentTokenId })
    expect((await get(`/api/memory/${id}/info`)).json().parent).toBe('0')
  })

  test('records the parent', async () => {
    const parentTokenId = await mintToken(harness)
    const id = await mintToken(harness, { parentTokenId })
    expect((await get(`/api/memory/${id}/info`)).json().parent).toBe(parentTokenId)
  })

  test('takes any category and any further metadata, with or without agentId and version', async () => {
    const metadata = { category: 'my own', agentId: 'a', version: '2', mood: [1, null] }
    const reply = await post(harness, '/api/memory/snapshot', { data: {}, metadata })
    expect(reply.statusCode).toBe(201)
    expect((await download('1')).json()).toEqual({ data: {}, metadata })
  })

  test('mints to a recipient, in any one case of the address', async () => {
    const recipient = other.address.toLowerCase()
    const id = await mintToken(harness, { recipient })
    expect((await download(id, other)).statusCode).toBe(200)
    expect((await download(id)).statusCode).toBe(403)
  })
})

describe('GET /api/memory/:tokenId/info (2.3, 4.2)', () => {
  test('answers 200 with exactly the six fields', async () => {
    const snapshot = (await post(harness, '/api/memory/snapshot', memory)).json()
    const reply = await get('/api/memory/1/info')
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({
      tokenId: '1',
      contentHash: snapshot.contentHash,
      storageUri: snapshot.storageUri,
      creator: agent.address,
      parent: '0',
      timestamp: `${toSeconds(harness.clock.now())}`,
    })
  })
})

describe('GET /api/memory/:tokenId (2.1, 4.3)', () => {
  test('answers 200 with the document, which anyone can check against the chain', async () => {
    const id = await mintToken(harness)
    const reply = await download(id)
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toBe(JSON.stringify(memory))
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': `${JSON.stringify(memory).length}`,
      'cache-control': 'no-store',
    })
    const salt = Buffer.from(`${reply.headers['x-content-salt']}`.slice(2), 'hex')
    const hash = createHash('sha256').update(salt).update(reply.rawPayload).digest('hex')
    const { contentHash } = (await get(`/api/memory/${id}/info`)).json()
    expect([`0x${hash}`, reply.headers['x-content-hash']]).toEqual([contentHash, contentHash])
  })
})

describe('the gate (5)', () => {
  const at = async (offset: number, wallet = agent) => {
    const seconds = toSeconds(harness.clock.now()) + offset
    return get('/api/memory/1', await proofOf(wallet, '1', seconds))
  }

  test.each([-121, -120, 0, 120, 121])(
    'judges a proof dated %i s from now (5.3.1)',
    async (offset) => {
      await mintToken(harness)
      const inside = Math.abs(offset) <= 120
      const reply = await at(offset)
      expect(reply.statusCode).toBe(inside ? 200 : 403)
      expect(reply.json().code).toBe(inside ? undefined : 'proof/stale')
    },
  )

  test('admits the owner and an active renter, and nobody else (5.3.2)', async () => {
    const id = await listToken(harness, terms)
    expect((await at(0, other)).json().code).toBe('access/denied')
    const body = { durationDays: 1, recipient: other.address }
    await post(harness, `/api/marketplace/rent/${id}`, body)
    expect((await at(0, other)).statusCode).toBe(200)
    harness.clock.advance(86_400_000 - 1)
    expect((await at(0, other)).statusCode).toBe(200)
    harness.clock.advance(1)
    expect((await at(0, other)).statusCode).toBe(403)
    expect((await at(0)).statusCode).toBe(200)
  })

  test('takes a signature again and again within the window (5.3.4)', async () => {
    const id = await mintToken(harness)
    const proof = await proofOf(agent, id, toSeconds(harness.clock.now()))
    const statuses: number[] = []
    for (const seconds of [0, 0, 60, 60, 1]) {
      harness.clock.advance(seconds * 1000)
      statuses.push((await get(`/api/memory/${id}`, proof)).statusCode)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 403])
  })

  test('takes the signature without 0x, in upper case, and with a recovery byte of 0 or 1', async () => {
    const id = await mintToken(harness)
    const proof = await proofOf(agent, id, toSeconds(harness.clock.now()))
    const digits = proof['x-wallet-signature'].slice(2)
    const low = digits.slice(0, -2) + (digits.endsWith('1b') ? '00' : '01')
    for (const signature of [digits, `0x${digits.toUpperCase()}`, low]) {
      const reply = await get(`/api/memory/${id}`, { ...proof, 'x-wallet-signature': signature })
      expect(reply.statusCode).toBe(200)
    }
  })

  test('requires no proof anywhere else', async () => {
    await mintToken(harness)
    expect((await get('/api/memory/1/info')).statusCode).toBe(200)
    expect((await get('/api/marketplace/listings/1')).statusCode).toBe(200)
  })
})

describe('GET /api/deployment', () => {
  test('names the chain, the contracts, the agent wallet, and which proofs are taken for whom', async () => {
    const reply = await get('/api/deployment')
    expect([reply.statusCode, Object.keys(reply.json())]).toEqual([
      200,
      [
        ...['chainId', 'registry', 'marketplace', 'agent', 'forwarder', 'depositCode', 'dollar'],
        ...['chainName', 'nativeCurrency', 'nativePrice', 'rpcUrl', 'explorerUrl'],
        ...['earlierRegistries', 'proofs', 'openActs', 'hasEns', 'hasFaucet', 'origin', 'domain'],
      ],
    ])
    const { proofs, origin, domain } = reply.json()
    expect([proofs, new URL(origin).host]).toEqual([['eip191', 'eip4361'], domain])
  })

  test.each<[readonly string[], readonly 'seal'[], readonly string[]]>([
    [[], [], ['snapshot', 'seal']],
    [['key'], [], []],
    [['key'], ['seal'], ['seal']],
  ])(
    'names what needs no key with the keys %j and the open acts %j',
    async (apiKeys, openActs, named) => {
      const { server } = openHarness({ config: { apiKeys, openActs } })
      expect((await server.inject('/api/deployment')).json().openActs).toEqual(named)
    },
  )

  test('says whether there is a faucet', async () => {
    const give = async () => ({ txHash: '0x' as const })
    for (const faucet of [undefined, { amount: 1n, give }]) {
      const { server } = openHarness({ faucet })
      const { hasFaucet } = (await server.inject('/api/deployment')).json()
      expect(hasFaucet).toBe(faucet !== undefined)
    }
  })

  test('names no seal where the server does not know its origin', async () => {
    const { server } = openHarness({ config: { host: '0.0.0.0' } })
    expect((await server.inject('/api/deployment')).json().openActs).toEqual(['snapshot'])
  })
})
