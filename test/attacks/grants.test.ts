import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { typedGrant } from '@heirloom/adapters/internal/acts'
import {
  account,
  type BlobStore,
  Failure,
  fromSeconds,
  type Grant,
  type Grants,
  grantedRight,
  grantStatement,
  type Hex,
  type Ledger,
  type MemoryService,
  nobody,
  ownerCheck,
  tokenId,
} from '@heirloom/core'
import {
  memoryErasures,
  memoryGrants,
  memoryNames,
  type Party,
  stoppedClock,
  wallets,
} from '@heirloom/testkit'
import { concat, hashTypedData, type LocalAccount } from 'viem'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connect as connectTo } from '../../packages/adapters/src/ledger/connection.ts'
import { reads } from '../../packages/adapters/src/ledger/reads.ts'
import { encodeGrant } from '../../packages/http/src/api/encode-records.ts'
import {
  depositText,
  grantedText,
  namesText,
  revokeAllText,
  revokeText,
} from '../../packages/http/src/api/signed-texts.ts'
import {
  addressOf,
  agent,
  deployment,
  memory,
  mintToken,
  openHarness,
  other,
  post,
  proofOf,
  rentToken,
  type ServerHarness,
  secondsOf,
  stranger,
} from '../../packages/http/test/server-harness.ts'
import { openEmbeddedHarness } from '../harness/chain/embedded.ts'

const origin = 'http://localhost'
const { chainId, registry } = deployment
const place = { chainId, registry, host: 'localhost' }
const [, , , dan] = wallets
const aDay = 86_400

async function openServer(options: Parameters<typeof openHarness>[0] = {}) {
  const harness = openHarness(options)
  onTestFinished(() => harness.server.close())
  return { harness, id: await mintToken(harness) }
}

type Change = Partial<Omit<Grant, 'salt'>> & { readonly salt?: Hex }

/** Returns a grant by the agent wallet to another one, with changes, and its statement. */
async function grantOf(harness: ServerHarness, id: string, change: Change = {}): Promise<Grant> {
  const of = tokenId(id)
  const holding = await harness.chain.ledger(addressOf(agent)).holding(of)
  if (holding === undefined) throw new Error('There is no such token.')
  const { transferCount, digest } = holding
  const issuedAt = secondsOf(harness)
  const terms = {
    owner: addressOf(agent),
    reader: addressOf(other),
    tokenId: of,
    transferCount,
    digest,
    name: '',
    rights: 'read',
    holders: [origin],
    issuedAt,
    expires: issuedAt + aDay,
    salt: `0x${'5a'.repeat(32)}` as const,
    ...change,
  }
  return { ...terms, statement: change.statement ?? grantStatement(terms) }
}

type Flaws = {
  readonly signer?: LocalAccount
  readonly prover?: LocalAccount
  readonly place?: { readonly chainId?: number; readonly registry?: Hex }
  readonly label?: string
  /** The label that the proof names. */
  readonly provenLabel?: string
  readonly timestamp?: number
  /** The origin that the proof names. */
  readonly from?: string
  /** The host of the request. */
  readonly host?: string
}

const idOf = async (harness: ServerHarness, grant: Grant, flaws: Flaws = {}): Promise<Hex> =>
  (await deposit(harness, grant, flaws)).json().id

const idOfGrant = (grant: Grant): Hex =>
  hashTypedData(typedGrant(grant, { chainId, address: registry }))

/** Signs a grant, and its deposit, and brings both. */
async function deposit(harness: ServerHarness, grant: Grant, flaws: Flaws = {}) {
  const { host = 'localhost' } = flaws
  return post(harness, '/api/grants', await depositBody(harness, grant, flaws), { host })
}

/** Signs a grant, and its deposit. */
async function depositBody(harness: ServerHarness, grant: Grant, flaws: Flaws) {
  const { signer = agent, prover = agent, label = '', provenLabel = label } = flaws
  const at = { chainId, registry, ...flaws.place }
  const typed = typedGrant(grant, { chainId: at.chainId, address: account(at.registry) })
  const signature = await signer.signTypedData(typed)
  const id = idOfGrant(grant)
  const timestamp = flaws.timestamp ?? secondsOf(harness)
  const { host = 'localhost' } = flaws
  const proven = flaws.from ?? `http://${host}`
  const claim = { grant: id, owner: grant.owner, label: provenLabel, timestamp }
  const message = depositText({ origin: proven, chainId }, claim)
  const proof = { origin: proven, timestamp, signature: await prover.signMessage({ message }) }
  return { grant: encodeGrant(grant), signature, label, proof }
}

const codeOf = async (reply: ReturnType<typeof deposit>) => {
  const { statusCode, body } = await reply
  return statusCode < 300 ? statusCode : (JSON.parse(body).code as string)
}

type Reading = {
  readonly id: string
  readonly grant: Hex
  readonly wallet?: LocalAccount
  readonly path?: string
}

type Proving = Pick<Reading, 'id' | 'grant' | 'wallet'> & { readonly at?: string }

/** Returns the headers by which a reader proves itself for a grant. */
async function readHeaders(
  harness: Pick<ServerHarness, 'clock'>,
  { id, grant, wallet = other, at = origin }: Proving,
) {
  const timestamp = secondsOf(harness)
  const { address } = wallet
  const claim = { tokenId: id, address, timestamp, grant }
  const message = grantedText({ origin: at, chainId, registry }, claim)
  return {
    'x-wallet-address': address,
    'x-wallet-signature': await wallet.signMessage({ message }),
    'x-wallet-timestamp': `${timestamp}`,
  }
}

/** Reads by a grant, with a proof for it. */
async function read(harness: ServerHarness, { path = '', ...reading }: Reading) {
  const headers = await readHeaders(harness, reading)
  const { grant, id } = reading
  return harness.server.inject({ url: `/api/granted/${grant}/memory/${id}${path}`, headers })
}

const unknown: Hex = `0x${'ab'.repeat(32)}`

/** Expects that a grant opens nothing, with the same bytes as an unknown one. */
async function expectDenied(harness: ServerHarness, reading: Reading) {
  const [refused, never] = [
    await read(harness, reading),
    await read(harness, { ...reading, grant: unknown }),
  ]
  expect([refused.statusCode, refused.body]).toEqual([403, never.body])
  expect(refused.json().code).toBe('access/denied')
}

const revoke = async (
  harness: ServerHarness,
  {
    id,
    signer = agent,
    grant,
  }: { readonly id: Hex; readonly signer?: LocalAccount; readonly grant?: Grant },
) => {
  const owner = addressOf(agent)
  const signature = await signer.signMessage({ message: revokeText(place, { owner, grant: id }) })
  const body = { owner, signature, ...(grant && { grant: encodeGrant(grant) }) }
  return post(harness, `/api/grants/${id}/revoke`, body)
}

const revokeAll = async (
  harness: ServerHarness,
  timestamp: number,
  signer: LocalAccount = agent,
) => {
  const owner = addressOf(agent)
  const signature = await signer.signMessage({
    message: revokeAllText(place, { owner, timestamp }),
  })
  return post(harness, '/api/grants/revoke', { owner, timestamp, signature })
}

type AsAccount = { readonly method?: 'GET' | 'PUT' | 'DELETE'; readonly signer?: LocalAccount }

/** Sends a request about grants that an account signs, or another one as that account. */
async function send(
  harness: ServerHarness,
  wallet: LocalAccount,
  url: string,
  { method = 'GET', signer = wallet }: AsAccount = {},
) {
  const timestamp = secondsOf(harness)
  const request = { account: wallet.address, timestamp, method, path: url }
  const headers = {
    'x-wallet-address': wallet.address,
    'x-timestamp': `${timestamp}`,
    'x-signature': await signer.signMessage({ message: namesText(place, request) }),
  }
  return harness.server.inject({ method, url, headers })
}

async function listed(harness: ServerHarness, wallet: LocalAccount, path = '') {
  const reply = await send(harness, wallet, `/api/grants${path}`)
  expect(reply.statusCode).toBe(200)
  return reply.json().items as readonly { readonly id: Hex; readonly label: string }[]
}

const received = (harness: ServerHarness, wallet: LocalAccount) =>
  listed(harness, wallet, '/received')

/** Has a reader accept an owner, or ignore it; returns the status. */
const choose = async (
  harness: ServerHarness,
  wallet: LocalAccount,
  owner: string,
  as: AsAccount = {},
) =>
  (await send(harness, wallet, `/api/accepted-owners/${owner}`, { method: 'PUT', ...as }))
    .statusCode

describe('a reader with a grant', () => {
  test('reads what the owner reads, in each way, and nobody else does', async () => {
    const { harness, id } = await openServer()
    const grant = await idOf(harness, await grantOf(harness, id))
    const headers = await proofOf(agent, id, secondsOf(harness))
    const own = await harness.server.inject({ url: `/api/memory/${id}`, headers })
    const opened = await read(harness, { id, grant })
    expect([opened.statusCode, opened.body]).toEqual([200, own.body])
    expect(opened.headers['cache-control']).toBe('no-store')
    const salted = createHash('sha256')
      .update(Buffer.from(String(opened.headers['x-content-salt']).slice(2), 'hex'))
      .update(opened.rawPayload)
    expect(`0x${salted.digest('hex')}`).toBe(opened.headers['x-content-hash'])
    for (const path of [
      '/outline',
      '/part?pointer=/data/mood',
      '/part?path=$..mood',
      '/search?q=calm',
    ]) {
      expect((await read(harness, { id, grant, path })).statusCode).toBe(200)
      await expectDenied(harness, { id, grant, path, wallet: stranger })
    }
    await expectDenied(harness, { id, grant, wallet: stranger })
    await expectDenied(harness, { id, grant, wallet: agent })
  })

  test('gets on the path of the interface what it got without a grant, byte for byte', async () => {
    const { harness, id } = await openServer()
    const headers = await proofOf(other, id, secondsOf(harness))
    const ask = () => harness.server.inject({ url: `/api/memory/${id}`, headers })
    const before = await ask()
    await idOf(harness, await grantOf(harness, id))
    const after = await ask()
    expect([after.statusCode, after.body]).toEqual([403, before.body])
    expect(after.headers['content-length']).toBe(before.headers['content-length'])
  })

  test('reads no other token, and no token that does not exist', async () => {
    const { harness, id } = await openServer()
    const second = await mintToken(harness)
    const grant = await idOf(harness, await grantOf(harness, id))
    await expectDenied(harness, { id: second, grant })
    await expectDenied(harness, { id: '999', grant })
  })

  test('proves itself for this grant: no other proof of the account counts', async () => {
    const { harness, id } = await openServer()
    const [one, salt] = [await grantOf(harness, id), `0x${'6b'.repeat(32)}` as const]
    const [grant, second] = [await idOf(harness, one), await idOf(harness, { ...one, salt })]
    const plain = await proofOf(other, id, secondsOf(harness))
    const url = `/api/granted/${grant}/memory/${id}`
    const refused = await harness.server.inject({ url, headers: plain })
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'access/denied'])
    const timestamp = secondsOf(harness)
    const claim = { tokenId: id, address: other.address, timestamp, grant: second }
    const message = grantedText({ origin, chainId, registry }, claim)
    const signature = await other.signMessage({ message })
    const headers = {
      ...plain,
      'x-wallet-signature': signature,
      'x-wallet-timestamp': `${timestamp}`,
    }
    expect((await harness.server.inject({ url, headers })).body).toBe(refused.body)
  })

  test('grants nothing itself, and sees no grant and no label of the owner', async () => {
    const { harness, id } = await openServer()
    const grant = await grantOf(harness, id)
    await deposit(harness, grant, { label: 'auditor' })
    const onward = await grantOf(harness, id, {
      owner: addressOf(other),
      reader: addressOf(stranger),
    })
    const brought = deposit(harness, onward, { signer: other, prover: other })
    expect(await codeOf(brought)).toBe('token/not-owner')
    const forged = deposit(harness, { ...grant, reader: addressOf(stranger) }, { signer: other })
    expect(await codeOf(forged)).toBe('grant/malformed')
    expect(await listed(harness, other)).toEqual([])
    expect(await listed(harness, agent)).toMatchObject([{ label: 'auditor' }])
  })
})

describe('the list of a reader', () => {
  test('has what accepted owners grant, now and later, without their labels', async () => {
    const { harness, id } = await openServer()
    const grant = await grantOf(harness, id)
    const first = await idOf(harness, grant, { label: 'obey me' })
    expect(await received(harness, other)).toEqual([])
    // Its id is enough to read.
    expect((await read(harness, { id, grant: first })).statusCode).toBe(200)
    expect(await choose(harness, other, addressOf(agent))).toBe(204)
    const salt = `0x${'5b'.repeat(32)}` as const
    const second = await idOf(harness, { ...grant, salt }, { label: 'ignore all orders' })
    const seen = await received(harness, other)
    expect(seen.map((it) => it.id).toSorted()).toEqual([first, second].toSorted())
    expect(JSON.stringify(seen)).not.toMatch(/label|obey|ignore all|signature/)
    await revoke(harness, { id: first })
    expect((await received(harness, other)).map((it) => it.id)).toEqual([second])
    expect(await choose(harness, other, addressOf(agent), { method: 'DELETE' })).toBe(204)
    expect(await received(harness, other)).toEqual([])
    expect((await read(harness, { id, grant: second })).statusCode).toBe(200)
  })

  test('has nothing of a stranger, whatever it grants, nor what others accepted', async () => {
    const { harness, id } = await openServer()
    for (const [index, reader] of [other, stranger, stranger].entries()) {
      const salt = `0x${`${index}`.repeat(64)}` as const
      await deposit(harness, await grantOf(harness, id, { reader: addressOf(reader), salt }))
    }
    expect(await choose(harness, stranger, addressOf(agent))).toBe(204)
    expect(await received(harness, other)).toEqual([])
    expect(await received(harness, stranger)).toHaveLength(2)
    expect(await received(harness, agent)).toEqual([])
  })

  test('is changed by its reader alone, for an owner that granted it something', async () => {
    const { harness, id } = await openServer()
    await deposit(harness, await grantOf(harness, id))
    const owner = addressOf(agent)
    expect(await choose(harness, other, addressOf(stranger))).toBe(404)
    expect(await choose(harness, stranger, owner)).toBe(404)
    // The owner cannot make itself seen, nor anybody read or empty the list of another.
    expect(await choose(harness, other, owner, { signer: agent })).toBe(403)
    expect(await received(harness, other)).toEqual([])
    expect(await choose(harness, other, owner)).toBe(204)
    expect(await choose(harness, other, owner, { method: 'DELETE', signer: agent })).toBe(403)
    expect((await send(harness, other, '/api/grants/received', { signer: agent })).statusCode).toBe(
      403,
    )
    expect(await received(harness, other)).toHaveLength(1)
    const bare = await harness.server.inject({ url: '/api/grants/received' })
    expect(bare.statusCode).toBe(403)
  })
})

describe('an end of a grant', () => {
  test('comes with its time, on the second', async () => {
    const { harness, id } = await openServer()
    const grant = await idOf(harness, await grantOf(harness, id))
    harness.clock.advance((aDay - 1) * 1000)
    expect((await read(harness, { id, grant })).statusCode).toBe(200)
    harness.clock.advance(1000)
    await expectDenied(harness, { id, grant })
  })

  test('comes with a sale, for good: not if the owner buys the token back, nor by a deposit anew', async () => {
    const { harness, id } = await openServer()
    const grant = await grantOf(harness, id)
    const known = await idOf(harness, grant)
    await harness.chain.transfer(addressOf(agent), tokenId(id), addressOf(stranger))
    await expectDenied(harness, { id, grant: known })
    expect(await codeOf(deposit(harness, grant))).toBe('token/not-owner')
    await harness.chain.transfer(addressOf(stranger), tokenId(id), addressOf(agent))
    await expectDenied(harness, { id, grant: known })
    expect(await codeOf(deposit(harness, grant))).toBe('grant/malformed')
  })

  test('comes with a revocation, from any client and at any time, and no deposit undoes it', async () => {
    const { harness, id } = await openServer()
    const grant = await grantOf(harness, id)
    const known = await idOf(harness, grant)
    expect(await codeOf(revoke(harness, { id: known, signer: other }))).toBe('proof/not-signed')
    expect((await read(harness, { id, grant: known })).statusCode).toBe(200)
    const revoked = revoke(harness, { id: known })
    expect(await codeOf(revoked)).toBe(204)
    await expectDenied(harness, { id, grant: known })
    expect(await codeOf(deposit(harness, grant))).toBe('grant/revoked')
    expect(await codeOf(revoke(harness, { id: known }))).toBe(204)
    await expectDenied(harness, { id, grant: known })
  })

  test('may come before the deposit, with the text of the grant', async () => {
    const { harness, id } = await openServer()
    const grant = await grantOf(harness, id)
    const same = await openServer()
    const known = await idOf(same.harness, await grantOf(same.harness, same.id))
    expect(await codeOf(revoke(harness, { id: known }))).toBe('grant/not-found')
    const wrong = { ...grant, expires: grant.expires + 1 }
    expect(await codeOf(revoke(harness, { id: known, grant: wrong }))).toBe('grant/malformed')
    expect(await codeOf(revoke(harness, { id: known, grant }))).toBe(204)
    expect(await codeOf(deposit(harness, grant))).toBe('grant/revoked')
  })

  test('comes for all that an owner signed, also for what nobody has deposited', async () => {
    const { harness, id } = await openServer()
    const early = await grantOf(harness, id)
    const known = await idOf(harness, early)
    const second = { ...early, salt: `0x${'6b'.repeat(32)}` } as const
    const now = secondsOf(harness)
    expect(await codeOf(revokeAll(harness, now, other))).toBe('proof/not-signed')
    expect(await codeOf(revokeAll(harness, now + 121))).toBe('proof/stale')
    expect(await codeOf(revokeAll(harness, now))).toBe(204)
    await expectDenied(harness, { id, grant: known })
    for (const it of [early, second])
      expect(await codeOf(deposit(harness, it))).toBe('grant/revoked')
    harness.clock.advance(1000)
    expect(await codeOf(deposit(harness, await grantOf(harness, id)))).toBe(201)
    // The same signature again ends nothing that was signed since.
    expect(await codeOf(revokeAll(harness, now))).toBe(204)
    expect(await listed(harness, agent)).toHaveLength(1)
  })

  test('during an answer keeps back its first byte, and ends a search that goes on', async () => {
    let hold: (() => Promise<void>) | undefined
    const storeThrough = (store: BlobStore): BlobStore => ({
      ...store,
      get: async (...all) => {
        const found = await store.get(...all)
        await hold?.()
        return found
      },
    })
    const { harness, id } = await openServer({ storeThrough })
    const grant = await idOf(harness, await grantOf(harness, id))
    const page = await read(harness, { id, grant, path: '/search?q=a&limit=1' })
    expect(page.json()).toMatchObject({ next: expect.any(String) })
    hold = async () => {
      hold = undefined
      await revoke(harness, { id: grant })
    }
    await expectDenied(harness, { id, grant })
    const after = `/search?q=a&limit=1&after=${page.json().next}`
    await expectDenied(harness, { id, grant, path: after })
  })
})

test('a reorganisation that gives the number of a token another memory ends its grants', async () => {
  const grants = memoryGrants()
  const one = await openServer({ granting: { grants } })
  const grant = await grantOf(one.harness, one.id)
  const known = await idOf(one.harness, grant)
  // The chain as it is without the blocks before: the same owner, number and count of transfers.
  const harness = openHarness({ granting: { grants } })
  onTestFinished(() => harness.server.close())
  const id = await mintToken(harness, { data: { mood: 'wild' } })
  expect(id).toBe(one.id)
  await expectDenied(harness, { id, grant: known })
  expect(await codeOf(deposit(harness, grant))).toBe('grant/malformed')
  expect((await read(one.harness, { id, grant: known })).statusCode).toBe(200)
})

test('a grant counts where it holds at the confirmed block and at the newest', async () => {
  const world = await openEmbeddedHarness()
  onTestFinished(world.close)
  const [owner, reader] = world.parties as [Party, Party]
  const bundle = new TextEncoder().encode(JSON.stringify(memory))
  const [first] = world.services as [MemoryService]
  const { tokenId: id } = await first.snapshot({ bundle })
  const { holding } = reads(connectTo(world.chain), world.contracts, 3)
  const ledger = { ...owner.ledger, holding }
  const clock = { now: world.now }
  const grants = memoryGrants()
  const request = { client: 'c', now: world.now(), bounds: { ofOwner: 9, ofClient: 9, inAll: 9 } }
  const issuedAt = Math.floor(world.now() / 1000)
  const digest = (await first.provenance({ tokenId: id })).digest
  const holders = [origin]
  const times = { issuedAt, expires: issuedAt + aDay }
  const terms = {
    tokenId: id,
    transferCount: 0n,
    digest,
    name: '',
    rights: 'read',
    holders,
    ...times,
  }
  const [by, to] = [owner.ledger.agent, reader.ledger.agent]
  const signed = { statement: '', owner: by, reader: to, ...terms, salt: unknown }
  await grants.deposit({ id: unknown, grant: signed, signature: '0x', label: '' }, request)
  const isOwners = async () => true
  const right = grantedRight(
    { clock, ledger, grants, names: memoryNames(), isOwners },
    { id: unknown, origin },
  )
  const ask = () =>
    right({ tokenId: id, account: to }).then(
      () => 'admitted',
      (error: { readonly code: string }) => error.code,
    )
  const mine = () => first.snapshot({ bundle })

  expect(await ask()).toBe('access/denied')
  for (const _ of [1, 2]) await mine()
  expect(await ask()).toBe('admitted')
  // The confirmed block has the token still with its owner; the newest has not.
  await owner.transfer(id, to)
  expect(await ask()).toBe('access/denied')
  await reader.transfer(id, by)
  for (const _ of [1, 2, 3]) await mine()
  expect(await ask()).toBe('access/denied')
})

/** Lets a reader get the begin of a long answer by a grant, and then acts, until the answer ends. */
async function cutOff(act: (now: Cut) => Promise<unknown>): Promise<void> {
  const config = { bodyLimit: 2 ** 26 }
  const ticks: (() => void)[] = []
  const repeat = (tick: () => void) => {
    ticks.push(tick)
    return () => undefined
  }
  const grants = memoryGrants()
  let isSilent = false
  const find: Grants['find'] = (id) => (isSilent ? new Promise(() => {}) : grants.find(id))
  const { harness } = await openServer({
    config,
    granting: { repeat, grants: { ...grants, find } },
  })
  // More than the buffers of both ends of a connection take.
  const id = await mintToken(harness, { data: { text: 'x'.repeat(2 ** 24) } })
  const url = new URL(await harness.server.listen({ host: '127.0.0.1', port: 0 }))
  const grant = await grantOf(harness, id, { holders: [url.origin] })
  const known = await idOf(harness, grant, { host: url.host })
  const headers = await readHeaders(harness, { id, grant: known, at: url.origin })
  const left = new Promise((resolve) => {
    harness.server.server.once('connection', (socket) => socket.once('close', resolve))
  })
  const reader = connect(Number(url.port), url.hostname)
  onTestFinished(() => void reader.destroy())
  const lines = Object.entries({ host: url.host, ...headers }).map((it) => it.join(': '))
  const path = `/api/granted/${known}/memory/${id}`
  reader.write([`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
  const [begin] = await once(reader, 'data')
  reader.pause()
  expect(`${begin}`).toMatch(/^HTTP\/1\.1 200 /)
  const tick = () => {
    for (const it of ticks) it()
  }
  const silence = () => {
    isSilent = true
  }
  await act({ harness, id: known, of: id, tick, silence })
  await left
}

type Cut = {
  readonly harness: ServerHarness
  readonly id: Hex
  readonly of: string
  /** Has the right count anew. */
  readonly tick: () => void
  /** Lets the store of the grants answer nothing more. */
  readonly silence: () => void
}

describe('a long answer ends while it is sent', () => {
  test('when the grant is revoked', () =>
    cutOff(async ({ harness, id, tick }) => {
      expect(await codeOf(revoke(harness, { id }))).toBe(204)
      tick()
    }))

  test('when the grant ends', () =>
    cutOff(async ({ harness, tick }) => {
      harness.clock.advance(aDay * 1000)
      tick()
    }))

  test('when the token is sold', () =>
    cutOff(async ({ harness, of, tick }) => {
      await harness.chain.transfer(addressOf(agent), tokenId(of), addressOf(stranger))
      tick()
    }))

  test('when the store of the grants says nothing until the right counts anew', () =>
    cutOff(async ({ silence, tick }) => {
      silence()
      tick()
      tick()
    }))
})

describe('a deposit', () => {
  test('needs the owner: neither the reader nor a renter nor a stranger brings it', async () => {
    const { harness, id } = await openServer()
    const grant = await grantOf(harness, id)
    for (const prover of [other, stranger]) {
      expect(await codeOf(deposit(harness, grant, { prover }))).toBe('proof/not-signed')
      expect(await codeOf(deposit(harness, grant, { signer: prover }))).toBe('proof/not-signed')
    }
    const rented = await rentToken(harness)
    const terms = { owner: addressOf(other), reader: addressOf(stranger) }
    const renters = await grantOf(harness, rented, terms)
    const brought = deposit(harness, renters, { signer: other, prover: other })
    expect(await codeOf(brought)).toBe('token/not-owner')
    expect(await codeOf(deposit(harness, await grantOf(harness, id, { reader: nobody })))).toBe(
      'grant/malformed',
    )
  })

  test('counts for this server, chain and registry alone, and for 120 seconds', async () => {
    const { harness, id } = await openServer()
    const grant = await grantOf(harness, id)
    const elsewhere = await grantOf(harness, id, { holders: ['https://memories.example'] })
    expect(await codeOf(deposit(harness, elsewhere))).toBe('grant/malformed')
    const from = 'https://memories.example'
    expect(await codeOf(deposit(harness, elsewhere, { from }))).toBe('grant/malformed')
    const both = await grantOf(harness, id, { holders: [origin, from] })
    for (const wrong of [{ chainId: 1 }, { registry: deployment.marketplace }]) {
      expect(await codeOf(deposit(harness, grant, { place: wrong }))).toBe('proof/not-signed')
    }
    const now = secondsOf(harness)
    for (const timestamp of [now - 121, now + 121]) {
      expect(await codeOf(deposit(harness, grant, { timestamp }))).toBe('proof/stale')
    }
    expect(await codeOf(deposit(harness, grant, { timestamp: now - 120 }))).toBe(201)
    // One proof serves all servers that the grant names.
    expect(await codeOf(deposit(harness, both, { from }))).toBe(201)
  })

  test('serves three holders with two signatures, a fourth server not, and names no keeper', async () => {
    const holders = ['https://one.example', 'https://three.example', 'https://two.example']
    const { harness, id } = await openServer()
    const of = await grantOf(harness, id, { holders: [...holders, 'keeper:a'].toSorted() })
    let signatures = 0
    const counted = <T>(it: T): T => {
      signatures += 1
      return it
    }
    const signer: LocalAccount = {
      ...agent,
      signMessage: (text) => counted(agent.signMessage(text)),
      signTypedData: (typed) => counted(agent.signTypedData(typed)),
    }
    const flaws = { signer, prover: signer, from: 'https://three.example' }
    const body = await depositBody(harness, of, flaws)
    const servers = [...holders, 'https://four.example'].map((publicUrl) => {
      const { server } = openHarness({ beside: harness, config: { publicUrl } })
      onTestFinished(() => server.close())
      return { server, publicUrl, clock: harness.clock }
    })
    const grant = idOfGrant(of)
    const found = servers.map(async ({ server, publicUrl, clock }) => {
      const { host } = new URL(publicUrl)
      const { statusCode } = await post({ server }, '/api/grants', body, { host })
      const headers = await readHeaders({ clock }, { id, grant, at: publicUrl })
      const url = `/api/granted/${grant}/memory/${id}`
      const opened = await server.inject({ url, headers: { ...headers, host } })
      return [statusCode, opened.statusCode]
    })
    const served = [201, 200]
    expect(await Promise.all(found)).toEqual([served, served, served, [400, 403]])
    expect(signatures).toBe(2)
    const asKeeper = await grantOf(harness, id, { holders: [origin, 'keeper:a'] })
    expect(await codeOf(deposit(harness, asKeeper, { from: 'keeper:a' }))).toBe('grant/malformed')
    expect(await codeOf(deposit(harness, asKeeper))).toBe(201)
  })

  test('takes a grant that says what its statement says, within its bounds', async () => {
    const { harness, id } = await openServer()
    const now = secondsOf(harness)
    const changes: readonly Change[] = [
      { statement: 'I let nobody read anything.' },
      { expires: now },
      { expires: now + 367 * aDay },
      { issuedAt: now + 121 },
      { name: 'ada' },
      { rights: 'read and save' },
      { holders: [] },
      { holders: [`${origin}/`] },
      { holders: [origin, origin] },
      { holders: ['http://näme.example', origin] },
      { holders: [origin, 'http://a.example'] },
      { transferCount: 1n },
      { digest: `0x${'12'.repeat(32)}` as Grant['digest'] },
      { reader: addressOf(agent) },
    ]
    for (const change of changes) {
      const reply = deposit(harness, await grantOf(harness, id, change))
      expect([change, await codeOf(reply)]).toEqual([change, 'grant/malformed'])
    }
    const unminted = { ...(await grantOf(harness, id)), tokenId: tokenId(999n) }
    const whole = { ...unminted, statement: grantStatement(unminted) }
    expect(await codeOf(deposit(harness, whole))).toBe('token/not-found')
    expect(await listed(harness, agent)).toEqual([])
  })

  test('takes a label that the owner signed, without characters that mislead', async () => {
    const { harness, id } = await openServer()
    const grant = await grantOf(harness, id)
    for (const label of ['a\nb', '\u202eevil', '\u0000', '\ud800', 'x'.repeat(65), ' a']) {
      expect(await codeOf(deposit(harness, grant, { label }))).toBe('grant/malformed')
    }
    const swapped = deposit(harness, grant, { label: 'mine', provenLabel: 'auditor' })
    expect(await codeOf(swapped)).toBe('proof/not-signed')
    expect(await codeOf(deposit(harness, grant, { label: 'Prüfer & Söhne' }))).toBe(201)
    expect(await listed(harness, agent)).toMatchObject([{ label: 'Prüfer & Söhne' }])
  })

  test('beyond the bounds of an owner or a client is refused, and revocations are not', async () => {
    const { harness, id } = await openServer()
    const ids: Hex[] = []
    for (const byte of ['01', '02', '03']) {
      ids.push(await idOf(harness, await grantOf(harness, id, { salt: `0x${byte.repeat(32)}` })))
    }
    const fourth = await grantOf(harness, id, { salt: `0x${'04'.repeat(32)}` })
    const refused = await deposit(harness, fourth)
    expect([refused.statusCode, refused.json().facts]).toEqual([
      429,
      { what: 'this owner', limit: 3 },
    ])
    const codes: (string | number)[] = []
    for (const number of Array(20).keys()) {
      const salt = `0x${(0x10 + number).toString(16).repeat(32)}` as const
      const grant = await grantOf(harness, id, { salt })
      const unseen = hashTypedData(typedGrant(grant, { chainId, address: registry }))
      codes.push(await codeOf(revoke(harness, { id: unseen, grant })))
    }
    expect(codes).toEqual([...Array(17).fill(204), ...Array(3).fill('grant/too-many')])
    for (const known of ids) expect(await codeOf(revoke(harness, { id: known }))).toBe(204)
    expect(await codeOf(revokeAll(harness, secondsOf(harness)))).toBe(204)
  })
})

test('a grant of an erased memory is refused', async () => {
  const erasures = memoryErasures()
  const { harness, id } = await openServer({ erasedAt: erasures.find })
  const grant = await grantOf(harness, id)
  await erasures.add([grant.digest], harness.clock.now())
  expect(await codeOf(deposit(harness, grant))).toBe('memory/erased')
})

describe('a contract wallet', () => {
  const ordered = [agent, dan].toSorted((one, two) =>
    one?.address.toLowerCase() < two?.address.toLowerCase() ? -1 : 1,
  )
  /** Signs as a wallet of two owners does. */
  const shared = (address: Hex): LocalAccount => {
    const signAll = async (sign: (it: LocalAccount) => Promise<Hex>) =>
      concat(await Promise.all(ordered.map((it) => sign(it as LocalAccount))))
    return {
      address,
      signMessage: (message: never) => signAll((it) => it.signMessage(message)),
      signTypedData: (typed: never) => signAll((it) => it.signTypedData(typed)),
    } as unknown as LocalAccount
  }

  test('grants and reads; its deposit counts for a day', async () => {
    const { harness, id } = await openServer()
    const contract = harness.chain.sharedWallet(ordered.map((it) => addressOf(it as typeof agent)))
    const wallet = shared(contract)
    const second = await mintToken(harness, { recipient: contract })
    const terms = { owner: contract, reader: addressOf(other) }
    const grant = await grantOf(harness, second, terms)
    const signed = { signer: wallet, prover: wallet }
    const early = { ...signed, timestamp: secondsOf(harness) - aDay }
    expect(
      await codeOf(deposit(harness, grant, { ...early, timestamp: early.timestamp - 1 })),
    ).toBe('proof/stale')
    expect(await codeOf(deposit(harness, grant, { signer: wallet, prover: agent }))).toBe(
      'proof/not-signed',
    )
    const known = (await deposit(harness, grant, early)).json().id
    expect((await read(harness, { id: second, grant: known })).statusCode).toBe(200)

    const toContract = await idOf(harness, await grantOf(harness, id, { reader: contract }))
    expect((await read(harness, { id, grant: toContract, wallet })).statusCode).toBe(200)
    const half = { ...wallet, signMessage: agent.signMessage } as LocalAccount
    await expectDenied(harness, { id, grant: toContract, wallet: half })
  })

  test('that proved nothing learns nothing, whatever its memory is', async () => {
    let trouble: Failure | undefined
    const storeThrough = (store: BlobStore): BlobStore => ({
      ...store,
      head: async (digest) => {
        if (trouble) throw trouble
        return store.head(digest)
      },
    })
    const { harness, id } = await openServer({ storeThrough })
    const contract = harness.chain.sharedWallet(ordered.map((it) => addressOf(it as typeof agent)))
    const grant = await grantOf(harness, id, { reader: contract })
    const known = await idOf(harness, grant)
    const wallet = { ...shared(contract), signMessage: agent.signMessage } as LocalAccount
    const { digest } = grant
    for (const failure of [
      new Failure('blob/not-found', { digest }),
      new Failure('blob/corrupt', { digest }),
      new Failure('memory/erased', { digest, erasedAt: harness.clock.now() }),
    ]) {
      trouble = failure
      await expectDenied(harness, { id, grant: known, wallet })
    }
    trouble = undefined
    // A copy: the same sealed memory, minted by another account.
    const { contentHash } = (await harness.chain.provenance(tokenId(id))) ?? {}
    const copier = harness.chain.ledger(addressOf(stranger))
    const recipient = addressOf(agent)
    const hash = contentHash as NonNullable<typeof contentHash>
    const mint = { contentHash: hash, digest, parent: undefined, recipient }
    const copy = `${(await copier.mint(mint)).tokenId}`
    const ofCopy = await idOf(harness, await grantOf(harness, copy, { reader: contract }))
    await expectDenied(harness, { id: copy, grant: ofCopy, wallet })
  })

  test('that changed its owners grants nothing any more, until they are back', async () => {
    let owners: Hex | undefined
    const ledgerThrough = (ledger: Ledger): Ledger => ({
      ...ledger,
      isSignedByCreator: (it, rank) =>
        ledger.isSignedByCreator(owners ? { ...it, account: account(owners) } : it, rank),
    })
    const { harness } = await openServer({ ledgerThrough })
    const contract = harness.chain.sharedWallet(ordered.map((it) => addressOf(it as typeof agent)))
    const wallet = shared(contract)
    const id = await mintToken(harness, { recipient: contract })
    const terms = { owner: contract, reader: addressOf(other) }
    const brought = deposit(harness, await grantOf(harness, id, terms), {
      signer: wallet,
      prover: wallet,
    })
    const { id: grant } = (await brought).json()
    expect((await read(harness, { id, grant })).statusCode).toBe(200)
    owners = harness.chain.sharedWallet([addressOf(stranger), addressOf(other)])
    harness.clock.advance(60_001)
    await expectDenied(harness, { id, grant })
    owners = undefined
    expect((await read(harness, { id, grant })).statusCode).toBe(200)
  })

  test('is requests again a minute after its last yes, and admits nobody while it says no', async () => {
    const clock = stoppedClock()
    let [says, requests] = [true, 0]
    const isSignedByCreator = async () => {
      requests += 1
      return says
    }
    const ledger = { isSignedByCreator } as unknown as Parameters<typeof ownerCheck>[0]['ledger']
    const isOwners = ownerCheck({ clock, ledger })
    const ask = () => isOwners(unknown, { account: nobody, message: '', signature: '0x' })
    expect([await ask(), await ask(), requests]).toEqual([true, true, 1])
    says = false
    clock.advance(60_000)
    expect(await ask()).toBe(true)
    clock.advance(1)
    expect([await ask(), await ask(), requests]).toEqual([false, false, 3])
    says = true
    expect([await ask(), fromSeconds(0) < clock.now()]).toEqual([true, true])
  })
})

test('an owner hears of the grants of the same to the same account, and nobody who brings one again does', async () => {
  const bounds = { ofOwner: 9, ofClient: 9, inAll: 9 }
  const { harness, id } = await openServer({ granting: { bounds } })
  const saltOf = (digit: number): Hex => `0x${`${digit}`.repeat(64)}`
  const first = await deposit(harness, await grantOf(harness, id, { salt: saltOf(1) }))
  expect(first.json().others).toEqual([])
  await deposit(
    harness,
    await grantOf(harness, id, { salt: saltOf(2), reader: addressOf(stranger) }),
  )
  const more = await mintToken(harness)
  await deposit(harness, await grantOf(harness, more, { salt: saltOf(1) }))
  const grant = await grantOf(harness, id, { salt: saltOf(3) })
  const body = await depositBody(harness, grant, {})
  const host = { host: 'localhost' }
  const { id: before } = first.json()
  const expires = secondsOf(harness) + aDay
  expect((await post(harness, '/api/grants', body, host)).json().others).toEqual([
    { id: before, rights: 'read', expires },
  ])
  // Each holder has the body, and may bring it once more within two minutes.
  expect((await post(harness, '/api/grants', body, host)).json().others).toEqual([])
  // One of them may be the first to bring it here.
  const from = 'https://holder.example'
  const shared = await grantOf(harness, id, { salt: saltOf(4), holders: [origin, from].toSorted() })
  const brought = await deposit(harness, shared, { from })
  expect([brought.statusCode, brought.json().others]).toEqual([201, []])
  // A grant of before a transfer lets nobody read.
  const { chain } = harness
  await chain.transfer(addressOf(agent), tokenId(id), addressOf(other))
  await chain.transfer(addressOf(other), tokenId(id), addressOf(agent))
  const later = await deposit(harness, await grantOf(harness, id, { salt: saltOf(2) }))
  expect([later.statusCode, later.json().others]).toEqual([201, []])
})
