import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { concat, getAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { creationCode } from '../../packages/adapters/src/embedded-chain/test/transactions.ts'
import { copierAt, publicAccount } from '../harness/copier.ts'
import { freePort } from '../harness/process/free-port.ts'
import {
  agentOf,
  type HostedServer,
  hostServer,
  post,
  startServer,
} from '../harness/process/server.ts'
import { bodyOf, countBlocks, countedSeals, pairOfSeal, sealerAt } from '../harness/sealer.ts'

const [ada, ben, cleo] = [publicAccount(5), publicAccount(6), publicAccount(7)]

type Sealer = Awaited<ReturnType<typeof sealerAt>>

const newWallet = () => privateKeyToAccount(generatePrivateKey())

/** Starts a server for one test. */
async function serverFor(environment: Readonly<Record<string, string>>) {
  const home = mkdtempSync(join(tmpdir(), 'sealed-'))
  const server = await hostServer({ DATA_DIR: home, ...environment })
  onTestFinished(async () => {
    await server.end()
    rmSync(home, { recursive: true })
  })
  return { home, server, url: server.url }
}

/** A contract that calls the address in the first 20 bytes of its input with the rest of it. */
const router: Hex = '0x6014360380601460003760006000826000600060003560601c5af100'

describe('on one server', () => {
  const home = mkdtempSync(join(tmpdir(), 'sealed-'))
  let server: HostedServer
  let creator: Sealer
  let thief: Sealer
  beforeAll(async () => {
    // A mint through a router takes more gas than strangers have.
    server = await hostServer({ DATA_DIR: home, RPC_GAS: '300000' })
    creator = await sealerAt(server.url, ada)
    thief = await sealerAt(server.url, ben)
  })
  afterAll(async () => {
    await server.end()
    rmSync(home, { recursive: true })
  })

  test('a wallet seals, mints and opens, and the agent has spent nothing', async () => {
    const state = async () => {
      const { balance, spentToday } = (await (await fetch(`${server.url}/api/wallet`)).json()) as {
        balance: string
        spentToday: string
      }
      return { balance, spentToday }
    }
    const before = await state()
    const id = await creator.mint(await creator.seal('a plan'))
    expect(await creator.open(id)).toEqual([200, 'a plan'])
    const info = await (await fetch(`${server.url}/api/memory/${id}/info`)).json()
    expect(info).toMatchObject({ creator: ada.address, parent: '0' })
    expect(await state()).toEqual(before)
  })

  test('nobody has a memory sealed in the name of another', async () => {
    const signer = { ...ben, address: ada.address }
    expect(await creator.seal('a trap', { signer })).toMatchObject({
      status: 403,
      code: 'proof/not-signed',
    })
  })

  test('a stolen proof serves for no other body, host, chain, registry or time', async () => {
    const flaws = [
      [{ sent: 'another plan' }, 'seal/wrong-body'],
      [{ place: { host: 'elsewhere.example' } }, 'proof/not-signed'],
      [{ place: { host: '127.0.0.1:1' } }, 'proof/not-signed'],
      [{ place: { chainId: 1 } }, 'proof/not-signed'],
      [{ place: { registry: ada.address } }, 'proof/not-signed'],
      [{ seconds: -200 }, 'proof/stale'],
      [{ seconds: 200 }, 'proof/stale'],
    ] as const
    for (const [flaw, code] of flaws) {
      expect(await creator.seal('a plan', flaw)).toMatchObject({ status: 403, code })
    }
  })

  test('a copied pair opens for nobody but its creator, even when the copy is minted first', async () => {
    const sealed = await creator.seal('the password is swordfish')
    const copy = await thief.sendTo(sealed.transaction.data, sealed.transaction.to)
    const copier = await copierAt(server.url, ben)
    const [own = ''] = await copier.mint(pairOfSeal(sealed))
    expect(await thief.open(own)).toEqual([403, 'access/copied'])
    // The creator is the owner of this copy, because the call data say so, and it opens no copy.
    expect(await creator.open(copy)).toEqual([403, 'access/copied'])
    const id = await creator.mint(sealed)
    expect(await creator.open(id)).toEqual([200, 'the password is swordfish'])
    expect(await thief.open(id)).toEqual([403, 'access/denied'])
  })

  test('two sealed memories cannot be spliced into one token', async () => {
    const [mine, theirs] = [await thief.seal('junk'), await creator.seal('swordfish')]
    const { to } = mine.transaction
    const words = (data: Hex, ...pair: readonly Hex[]): Hex =>
      concat([data.slice(0, 74) as Hex, ...pair, `0x${'0'.repeat(64)}`])
    const [junk, secret] = [pairOfSeal(mine), pairOfSeal(theirs)]
    const spliced = [
      await thief.sendTo(words(mine.transaction.data, junk.contentHash, secret.digest), to),
      await thief.sendTo(words(mine.transaction.data, secret.contentHash, junk.digest), to),
    ]
    const opened = await Promise.all(spliced.map((id) => thief.open(id)))
    expect(opened).toEqual([
      [403, 'access/copied'],
      [500, 'bundle/altered'],
    ])
  })

  test('a public router is no creator, whoever signs for it', async () => {
    const address = getAddress(await thief.deploy(creationCode(router)))
    for (const wallet of [ada, ben]) {
      const signer = { ...wallet, address }
      const sealed = await creator.seal('a plan', { signer })
      expect(sealed).toMatchObject({ status: 403, code: 'proof/not-signed' })
    }
    const long = { 'x-signature': `0x${'5a'.repeat(300)}` }
    const signer = { ...ben, address }
    expect(await creator.seal('a plan', { signer, headers: long })).toMatchObject({ status: 403 })
    // It is a router: whoever calls it makes it the creator of a token.
    const { transaction } = await creator.seal('a plan')
    const id = await thief.sendTo(concat([transaction.to, transaction.data]), address)
    expect(await creator.open(id)).toEqual([403, 'access/copied'])
  })

  test('a mint that is seen twice counts once, and both tokens open', async () => {
    const sealed = await creator.seal('twice')
    const minted = await countedSeals(server.url, 'minted')
    const ids = [await creator.mint(sealed), await creator.mint(sealed)]
    for (const id of ids) expect(await creator.open(id)).toEqual([200, 'twice'])
    const counted = () => countedSeals(server.url, 'minted')
    await expect.poll(counted).toBe(minted + 1)
    expect(await creator.seal('twice')).toMatchObject({ status: 201 })
  })

  test('the agent opens and mints nothing of it', async () => {
    const sealed = await creator.seal('mine alone')
    const agent = await sealerAt(server.url, agentOf(home))
    const id = await creator.mint(sealed)
    expect(await agent.open(id)).toEqual([403, 'access/denied'])
    const copies = { ...pairOfSeal(sealed), ...sealed, tokenId: id }
    const body = JSON.stringify({ ...JSON.parse(bodyOf('other')), ...copies })
    const reply = await (await post(server.url, '/api/memory/snapshot', body)).json()
    expect(reply).not.toMatchObject({ contentHash: sealed.contentHash })
  })
})

describe('a thousand connections that send the headers of a seal and no body', () => {
  const bodies = { SEALS_PER_ACCOUNT: '2' }

  async function openSilent(url: string, headers: object): Promise<Socket> {
    const { hostname, port, host } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    const all = { host, 'content-length': '268435456', ...headers }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`POST /api/memory/seal HTTP/1.1\r\n${lines.join('')}\r\n{`)
    return socket
  }

  test('take little memory and no place of others', async () => {
    const { url } = await serverFor({ ...bodies, UPLOAD_BYTES: '0' })
    const creator = await sealerAt(url, ada)
    const memory = async () => {
      const text = await (await fetch(`${url}/metrics`)).text()
      return Number(/^process_resident_memory_bytes (\d+)$/m.exec(text)?.[1])
    }
    const before = await memory()
    for (let at = 0; at < 1000; at++) {
      const signer = at % 100 === 0 ? newWallet() : ada
      await openSilent(url, await creator.headersOf(`body ${at}`, { signer }))
    }
    expect(await creator.seal('a plan')).toMatchObject({ status: 201 })
    expect((await fetch(`${url}/livez`)).status).toBe(200)
    expect(await countedSeals(url, 'unminted')).toBe(1)
    expect((await memory()) - before).toBeLessThan(200 * 2 ** 20)
  })
})

describe('a disk that strangers want to fill', () => {
  test('holds no more than the bounds, and each snapshot of the operator', async () => {
    const bounds = { SEALS_PER_ACCOUNT: '2', SEAL_BYTES: '1000000', SEAL_SECONDS: '3' }
    const { url, home } = await serverFor(bounds)
    const noise = () => Array.from({ length: 40_000 }, () => Math.random()).join('')
    const codes: (string | number)[] = []
    const before = await countBlocks(home)
    for (let at = 0; at < 6; at++) {
      const stranger = await sealerAt(url, newWallet())
      const replies = [
        await stranger.seal(noise()),
        await stranger.seal('b'),
        await stranger.seal('c'),
      ]
      codes.push(...replies.map(({ status, code }) => code ?? status))
    }
    expect(codes.slice(0, 3)).toEqual([201, 201, 'seal/too-many'])
    expect(new Set(codes.slice(3))).toEqual(new Set([201, 'seal/too-many', 'seal/no-room']))
    expect((await countBlocks(home)).bytes).toBeLessThan(before.bytes + 1_100_000)
    expect((await post(url, '/api/memory/snapshot', bodyOf('of the operator'))).status).toBe(201)
    const counted = () => countedSeals(url, 'unminted')
    await expect.poll(counted).toBe(0)
    // What is stored in parts stays for a day, and counts meanwhile.
    const stranger = await sealerAt(url, newWallet())
    for (let at = 0; at < 3; at++) {
      expect((await (await sealerAt(url, newWallet())).seal(noise())).code).toBe('seal/no-room')
    }
    expect((await countBlocks(home)).bytes).toBeLessThan(before.bytes + 1_100_000)
    expect(await stranger.seal('room again')).toMatchObject({ status: 201 })
  })
})

describe('kill -9', () => {
  const answered = new Map<string, Awaited<ReturnType<Sealer['seal']>>>()

  /** Has one memory after another sealed until the server is gone. */
  async function sealOn({ seal }: Sealer, name: string): Promise<void> {
    for (let turn = 0; ; turn++) {
      const text = `${name} ${turn}`
      const reply = await seal(text).catch(() => undefined)
      if (reply === undefined) return
      expect(reply.status).toBe(201)
      answered.set(text, reply)
    }
  }

  // A fast machine seals more than the usual thousand of an account in these seconds.
  const unbounded = { SEALS_PER_ACCOUNT: '1000000', SEALS: '1000000' }

  test('loses no answered seal, and leaves no blob of the others', async () => {
    const home = mkdtempSync(join(tmpdir(), 'sealed-'))
    onTestFinished(() => rmSync(home, { recursive: true }))
    for (const delay of [0, 150, 300, 500, 800]) {
      const server = await startServer({ DATA_DIR: home, ...unbounded })
      const creator = await sealerAt(server.url, cleo)
      const clients = Promise.all([0, 1, 2, 3].map((it) => sealOn(creator, `${delay} ${it}`)))
      const before = answered.size
      const killed = expect
        .poll(() => answered.size, { interval: 5 })
        .toBeGreaterThan(before)
        .then(() => pause(delay))
        .then(() => server.end('SIGKILL'))
      await Promise.all([clients, killed])
    }
    expect(answered.size).toBeGreaterThan(4)
    const { url, end } = await hostServer({ DATA_DIR: home, ...unbounded })
    onTestFinished(async () => void (await end()))
    const noted = await countedSeals(url, 'unminted')
    expect(noted).toBeGreaterThanOrEqual(answered.size)
    expect((await countBlocks(home)).blocks).toBe(noted)
    const creator = await sealerAt(url, cleo)
    const some = [...answered].filter((_, at) => at % Math.ceil(answered.size / 12) === 0)
    for (const [text, sealed] of some) {
      expect(await creator.open(await creator.mint(sealed))).toEqual([200, text])
    }
    const minted = () => countedSeals(url, 'minted')
    await expect.poll(minted).toBe(some.length)
  })

  test('makes no second memory of a proof that is sent again', async () => {
    const home = mkdtempSync(join(tmpdir(), 'sealed-'))
    onTestFinished(() => rmSync(home, { recursive: true }))
    const settings = { DATA_DIR: home, PORT: String(await freePort()) }
    const first = await startServer(settings)
    const creator = await sealerAt(first.url, cleo)
    const headers = await creator.headersOf(bodyOf('once'))
    const sealed = await creator.seal('once', { headers })
    await first.end('SIGKILL')
    const second = await hostServer(settings)
    onTestFinished(async () => void (await second.end()))
    expect(await creator.seal('once', { headers })).toEqual(sealed)
    expect(await countedSeals(second.url, 'unminted')).toBe(1)
    expect((await countBlocks(home)).blocks).toBe(1)
  })
})
