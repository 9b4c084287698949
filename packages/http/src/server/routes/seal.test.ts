import { hash } from 'node:crypto'
import { sqliteJobStore } from '@heirloom/adapters/job-store'
import { account, type Digest, type Hex, toSeconds } from '@heirloom/core'
import { decodeFunctionData } from 'viem'
import { describe, expect, onTestFinished, test } from 'vitest'
import { memoryRegistryAbi as abi } from '../../../../adapters/src/ledger/contracts.generated.ts'
import { type SealSigner, sealHeaders } from '../../../test/seal-headers.ts'
import { sealSettings } from '../../../test/sealing-over.ts'
import {
  addressOf,
  agent,
  deployment,
  memory,
  openHarness,
  other,
  proofOf,
  stranger,
} from '../../../test/server-harness.ts'
import { sealText } from '../../api/signed-texts.ts'
import type { sealing } from '../seals/sealing.ts'

type Options = NonNullable<Parameters<typeof openHarness>[0]> & {
  readonly parts?: Partial<sealing.Parts>
}

/** Opens a server that seals, and functions that ask it to. */
async function openSealing({ parts, ...options }: Options = {}) {
  const store = await sqliteJobStore(':memory:')
  onTestFinished(store.close)
  const harness = openHarness({ ...options, seals: { store, ...parts } })
  const place = { host: 'localhost:80', ...deployment }
  const headersOf = (
    body: string,
    { signer = other as SealSigner, seconds = 0, at = {} }: Flaws = {},
  ) => {
    const timestamp = toSeconds(harness.clock.now()) + seconds
    return sealHeaders(signer, body, { place: { ...place, host: 'localhost', ...at }, timestamp })
  }
  const send = (payload: string, headers: Record<string, string>) =>
    harness.server.inject({ method: 'POST', url: '/api/memory/seal', headers, payload })
  const seal = async (more: object = {}, flaws: Flaws = {}) => {
    const body = JSON.stringify({ ...memory, ...more })
    return send(body, { ...(await headersOf(body, flaws)), ...flaws.headers })
  }
  const stored = async () => (await harness.state()).blobs
  return { ...harness, headersOf, send, seal, stored, store }
}

type Flaws = {
  readonly signer?: SealSigner
  readonly seconds?: number
  readonly at?: Partial<Parameters<typeof sealText>[0]>
  readonly headers?: Record<string, string>
}

/** Returns the content hash of `memory` under a salt, as standard tools compute it. */
const contentHashUnder = (salt: string) =>
  `0x${hash('sha256', Buffer.concat([Buffer.from(salt.slice(2), 'hex'), Buffer.from(JSON.stringify(memory))]))}`

const outcome = (reply: { statusCode: number; json: () => { code?: string } }) =>
  [reply.statusCode, reply.json().code] as const

describe('POST /api/memory/seal', () => {
  test('answers with exactly these fields, and mints nothing', async () => {
    const { seal, state, clock } = await openSealing()
    const reply = await seal()
    expect(reply.statusCode).toBe(201)
    const { contentHash, salt, storageUri, ...body } = reply.json()
    expect([contentHash, salt, storageUri]).toEqual([
      expect.stringMatching(/^0x[0-9a-f]{64}$/),
      expect.stringMatching(/^0x[0-9a-f]{64}$/),
      expect.stringMatching(/^v2:ipfs:\/\/0x[0-9a-f]{64}$/),
    ])
    const { chainId, registry } = deployment
    expect(body).toEqual({
      card: null,
      creator: other.address,
      chainId,
      registry,
      recipient: other.address,
      parentTokenId: '0',
      expiresAt: clock.now() + sealSettings.lifetime,
      transaction: { chainId, to: registry, data: expect.stringMatching(/^0x/), value: '0' },
    })
    expect((await state()).tokens).toEqual([])
  })

  test('returns the salt that makes the content hash of the document, a given one too', async () => {
    const { seal, clock } = await openSealing()
    const given = `0x${'5a'.repeat(32)}`
    const sums = new Set<string>()
    for (const more of [{}, {}, { salt: given }]) {
      clock.advance(1000)
      const { contentHash, salt } = (await seal(more)).json()
      expect(contentHash).toBe(contentHashUnder(salt))
      if ('salt' in more) expect(salt).toBe(given)
      sums.add(contentHash)
    }
    expect(sums.size).toBe(3)
  })

  test('returns the call data of exactly this mint, with a card of a described one', async () => {
    const { seal } = await openSealing()
    const recipient = stranger.address
    const plain = (await seal({ recipient })).json()
    const digestOf = ({ storageUri }: { storageUri: string }) =>
      storageUri.slice('v2:ipfs://'.length)
    expect(decodeFunctionData({ abi, data: plain.transaction.data })).toEqual({
      functionName: 'mint',
      args: [recipient, plain.contentHash, digestOf(plain), 0n],
    })
    const described = (await seal({ card: { title: 'A calm trader' } })).json()
    const { contentHash, card } = described
    const item = { recipient: other.address, contentHash, digest: digestOf(described), parent: 0n }
    expect(decodeFunctionData({ abi, data: described.transaction.data })).toEqual({
      functionName: 'mintDescribed',
      args: [[item], [card]],
    })
  })

  test('opens once the creator minted it, and never for another minter', async () => {
    const { seal, chain, server, clock } = await openSealing()
    const { contentHash, storageUri } = (await seal()).json()
    const pair = { contentHash, digest: storageUri.slice('v2:ipfs://'.length) as Digest }
    const tokens = []
    for (const wallet of [stranger, other, agent]) {
      const recipient = addressOf(wallet)
      const token = { ...pair, parent: undefined, recipient }
      tokens.push([wallet, (await chain.ledger(recipient).mint(token)).tokenId] as const)
    }
    const replies = []
    for (const [wallet, id] of tokens) {
      const headers = await proofOf(wallet, `${id}`, toSeconds(clock.now()))
      replies.push(await server.inject({ url: `/api/memory/${id}`, headers }))
    }
    expect(replies.map((it) => it.statusCode)).toEqual([403, 200, 403])
    expect(replies[1]?.json()).toEqual(memory)
    for (const at of [0, 2]) expect(replies[at]?.json().code).toBe('access/copied')
  })

  test('refuses what a snapshot refuses, and stores nothing of it', async () => {
    const { seal, stored } = await openSealing()
    const nobody = `0x${'0'.repeat(40)}`
    expect(outcome(await seal({ parentTokenId: '7' }))).toEqual([404, 'token/not-found'])
    expect(outcome(await seal({ recipient: nobody }))).toEqual([400, 'recipient/invalid'])
    expect(outcome(await seal({ metadata: {} }))).toEqual([400, 'request/malformed'])
    expect(outcome(await seal({ card: { title: '\u202egpj.exe' } }))).toEqual([
      400,
      'card/malformed',
    ])
    expect(outcome(await seal({ card: { title: 'A year', excerpts: ['/data/none'] } }))).toEqual([
      400,
      'excerpt/not-in-memory',
    ])
    expect(await stored()).toBe(0)
  })

  test('is for no page of another origin', async () => {
    const { seal, stored } = await openSealing()
    const headers = { origin: 'https://example.com' }
    expect(outcome(await seal({}, { headers }))).toEqual([403, 'request/foreign-origin'])
    expect(await stored()).toBe(0)
  })
})

describe('the proof of a creator', () => {
  const refused = {
    'in the name of another': [
      { signer: { ...stranger, address: other.address } },
      'proof/not-signed',
    ],
    'for another host': [{ at: { host: 'elsewhere.example' } }, 'proof/not-signed'],
    'for another port of this host': [{ at: { host: 'localhost:81' } }, 'proof/not-signed'],
    'for another chain': [{ at: { chainId: 1 } }, 'proof/not-signed'],
    'for another registry': [{ at: { registry: deployment.marketplace } }, 'proof/not-signed'],
    'signed 121 seconds ago': [{ seconds: -121 }, 'proof/stale'],
    'dated 121 seconds ahead': [{ seconds: 121 }, 'proof/stale'],
    'with a time in milliseconds': [
      { headers: { 'x-timestamp': '1800000000000' } },
      'proof/malformed',
    ],
    'with a signature of nothing': [{ headers: { 'x-signature': '0x' } }, 'proof/malformed'],
  } as const satisfies Readonly<Record<string, readonly [Flaws, string]>>

  test.each(Object.entries(refused))('%s is refused', async (_, [flaws, code]) => {
    const { seal, stored } = await openSealing()
    expect(outcome(await seal({}, flaws as Flaws))).toEqual([403, code])
    expect(await stored()).toBe(0)
  })

  test.each(['x-wallet-address', 'x-timestamp', 'x-signature', 'content-digest'])(
    'without %s is refused',
    async (header) => {
      const { headersOf, send } = await openSealing()
      const body = JSON.stringify(memory)
      const headers = await headersOf(body)
      const { [header]: _, ...rest } = headers
      expect(outcome(await send(body, rest))).toEqual([403, 'proof/missing'])
      const lower = { ...headers, 'x-wallet-address': other.address.toLowerCase() }
      expect(outcome(await send(body, lower))).toEqual([403, 'proof/malformed'])
    },
  )

  test('is checked before the body is read, and the body against its digest', async () => {
    const { headersOf, send, stored } = await openSealing()
    const headers = await headersOf(JSON.stringify(memory))
    const foreign = JSON.stringify({ ...memory, recipient: stranger.address })
    expect(outcome(await send(foreign, headers))).toEqual([403, 'seal/wrong-body'])
    expect(outcome(await send(`${JSON.stringify(memory)} `, headers))).toEqual([
      403,
      'seal/wrong-body',
    ])
    const wrong = { ...headers, 'x-wallet-address': stranger.address }
    expect(outcome(await send('{', wrong))).toEqual([403, 'proof/not-signed'])
    expect(await stored()).toBe(0)
  })

  test('reads the digest in its one spelling, also beside others', async () => {
    const { headersOf, send } = await openSealing()
    const body = JSON.stringify(memory)
    const headers = await headersOf(body)
    const digest = headers['content-digest'] ?? ''
    const withDigest = async (text: string) =>
      (await send(body, { ...headers, 'content-digest': text })).statusCode
    expect(await withDigest(`sha-512=:AAAA:, ${digest}`)).toBe(201)
    const last = digest.at(-3) ?? ''
    const twin = `${digest.slice(0, -3)}${String.fromCharCode(last.charCodeAt(0) + 1)}=:`
    const bad = [`${digest}, ${digest}`, digest.replace('sha-256', 'sha-512'), twin, 'sha-256=abc']
    for (const text of bad) expect([text, await withDigest(text)]).toEqual([text, 403])
  })

  test('is of no use where the server does not know its own name', async () => {
    const { seal } = await openSealing({ config: { host: '192.0.2.1', apiKeys: ['k'.repeat(20)] } })
    const headers = { authorization: `Bearer ${'k'.repeat(20)}` }
    expect(outcome(await seal({}, { headers }))).toEqual([403, 'seal/not-offered'])
  })
})

describe('a repeated request', () => {
  test('gets the first answer, also with another idempotency key, and stores nothing more', async () => {
    const { seal, stored } = await openSealing()
    const first = await seal({ card: { title: 'One' } })
    const again = await seal({ card: { title: 'One' } })
    const keyed = { headers: { 'idempotency-key': 'other' } }
    const other = await seal({ card: { title: 'One' } }, keyed)
    expect([again.json(), other.json()]).toEqual([first.json(), first.json()])
    expect(await stored()).toBe(2)
  })

  test('gets the salt from the sealed bundle, because nothing else stores it', async () => {
    const { seal, store, blobStore } = await openSealing()
    const { salt, contentHash, storageUri } = (await seal()).json()
    expect(contentHash).toBe(contentHashUnder(salt))
    const rows = await store.db.selectFrom('seal').selectAll().execute()
    expect(JSON.stringify(rows)).toContain(contentHash)
    expect(JSON.stringify(rows)).not.toContain(salt.slice(2))
    expect((await seal()).json().salt).toBe(salt)
    await blobStore.remove(storageUri.slice('v2:ipfs://'.length))
    expect(outcome(await seal())).toEqual([500, 'blob/not-found'])
  })

  test('of another creator gets another salt, also for the same body and key', async () => {
    const { seal } = await openSealing()
    const keyed = { headers: { 'idempotency-key': 'key' } }
    const [one, two] = [await seal({}, keyed), await seal({}, { ...keyed, signer: stranger })]
    expect(one.json().salt).not.toBe(two.json().salt)
    const forged = { ...keyed, signer: { ...stranger, address: other.address } }
    const refused = await seal({}, forged)
    expect(outcome(refused)).toEqual([403, 'proof/not-signed'])
    expect(refused.body).not.toContain(one.json().salt.slice(2))
  })

  test('that arrives at the same time is sealed once', async () => {
    const { seal, stored } = await openSealing()
    const replies = await Promise.all([seal(), seal(), seal()])
    expect(new Set(replies.map((it) => it.body)).size).toBe(1)
    expect(await stored()).toBe(1)
  })

  test('with its idempotency key and a new proof gets the first answer; another body does not', async () => {
    const { seal, stored, clock } = await openSealing()
    const keyed = { headers: { 'idempotency-key': 'key' } }
    const first = await seal({}, keyed)
    clock.advance(300_000)
    expect((await seal({}, keyed)).json()).toEqual(first.json())
    expect(outcome(await seal({ card: { title: 'A' } }, keyed))).toEqual([
      ...[422, 'idempotency/key-reused'],
    ])
    const foreign = await seal({}, { ...keyed, signer: stranger })
    expect(foreign.json().creator).toBe(stranger.address)
    expect(await stored()).toBe(2)
  })
})

describe('the bounds', () => {
  const bounds = {
    perAccount: { seals: 2, bytes: 0 },
    perClient: { seals: 3, bytes: 0 },
    inAll: { seals: 0, bytes: 5000 },
  }
  const bounded = { parts: { settings: { bounds, lifetime: 1000 } } }

  test('refuse further seals of an account, and then of a client, with retry-after', async () => {
    const { seal, clock, stored } = await openSealing(bounded)
    const next = (signer: SealSigner) => {
      clock.advance(1000)
      return seal({}, { signer })
    }
    const codes = []
    for (const signer of [other, other, other, stranger, stranger]) {
      const reply = await next(signer)
      codes.push(reply.statusCode === 201 ? 201 : [...outcome(reply), reply.headers['retry-after']])
    }
    expect(codes).toEqual([
      ...[201, 201, [429, 'seal/too-many', '60'], 201],
      [429, 'seal/too-many', '60'],
    ])
    expect(await stored()).toBe(3)
  })

  test('refuse further seals before the body is read, but no repeated one', async () => {
    const { seal, headersOf, send } = await openSealing(bounded)
    const keyed = { headers: { 'idempotency-key': 'key' } }
    const first = await seal({ data: { at: 1 } }, keyed)
    await seal({ data: { at: 2 } })
    const full = [429, 'seal/too-many']
    expect(outcome(await send('{', await headersOf(JSON.stringify({ at: 3 }))))).toEqual(full)
    expect((await seal({ data: { at: 1 } })).json()).toEqual(first.json())
    expect((await seal({ data: { at: 1 } }, { ...keyed, seconds: 1 })).json()).toEqual(first.json())
    expect(outcome(await seal({ data: { at: 3 } }))).toEqual(full)
  })

  test('refuse what has no room, whoever asks', async () => {
    const { seal, stored } = await openSealing(bounded)
    const reply = await seal({ data: { noise: 'x'.repeat(6000) } })
    expect([...outcome(reply), reply.headers['retry-after']]).toEqual([507, 'seal/no-room', '60'])
    expect(await stored()).toBe(0)
    expect((await seal()).statusCode).toBe(201)
  })

  test('refuse a body that no account may store, before it is read', async () => {
    const seals = { ...sealSettings, bounds: { ...bounds, perAccount: { seals: 0, bytes: 100 } } }
    const { seal } = await openSealing({ config: { seals } })
    const reply = await seal({ data: { noise: 'x'.repeat(200) } })
    expect(outcome(reply)).toEqual([413, 'request/too-large'])
  })
})

describe('a server with API keys', () => {
  const keys = { host: '127.0.0.1', apiKeys: ['k'.repeat(20)] }

  test('seals for anyone only where OPEN_ACTS says so', async () => {
    const closed = await openSealing({ config: keys })
    expect(outcome(await closed.seal())).toEqual([401, 'request/not-authorized'])
    const open = await openSealing({ config: { ...keys, openActs: ['seal'] } })
    expect((await open.seal()).statusCode).toBe(201)
    const snapshot = { method: 'POST', url: '/api/memory/snapshot', payload: memory } as const
    expect((await open.server.inject(snapshot)).statusCode).toBe(401)
  })
})

test('signs a text of these parts', () => {
  const claim = {
    account: account(other.address),
    timestamp: 7,
    bodyDigest: `0x${'ab'.repeat(32)}` as Hex,
  }
  const place = { host: 'memories.example', chainId: 8453, registry: deployment.registry }
  expect(sealText(place, claim)).toBe(
    `heirloom:seal:memories.example:8453:${deployment.registry}:${other.address}:7:0x${'ab'.repeat(32)}`,
  )
})
