import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { heliaBlobStore } from '@heirloom/adapters/blob-store'
import { deployContracts } from '@heirloom/adapters/contracts'
import { type Card, encodeCard, hash } from '@heirloom/core'
import { walletKeys, wallets } from '@heirloom/testkit'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startAnvil, testClient } from '../harness/chain/anvil.ts'
import { mounted, startMountedServer } from '../harness/process/mounted-server.ts'
import {
  agentOf,
  downloadAs,
  type HostedServer,
  hostServer,
  post,
  rpc,
  type Snapshot,
  startServer,
} from '../harness/process/server.ts'

let folder: string
const cleanUps: (() => unknown)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'faults-'))
  cleanUps.push(() => rmSync(folder, { recursive: true }))
})
afterEach(async () => {
  while (cleanUps.length > 0) await cleanUps.pop()?.()
})

async function start(environment: Readonly<Record<string, string>> = {}): Promise<HostedServer> {
  const server = await hostServer({ DATA_DIR: folder, ...environment })
  cleanUps.push(server.end)
  return server
}

const bundle = (thought: string) =>
  JSON.stringify({ data: { thought }, metadata: { category: 'research' } })

async function snapshot(
  { url }: Pick<HostedServer, 'url'>,
  thought: string,
  card?: Card,
): Promise<Snapshot> {
  const body = JSON.stringify({ ...JSON.parse(bundle(thought)), card })
  const response = await post(url, '/api/memory/snapshot', body)
  expect(response.status).toBe(201)
  return (await response.json()) as Snapshot
}

async function problemOf(response: Response): Promise<{ status: number; code: string }> {
  const { status, code } = (await response.json()) as { status: number; code: string }
  return { status, code }
}

describe('a sealed block', () => {
  const file = (digest: string) => {
    const name = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) =>
      path.replaceAll('/', '').includes(digest.slice(2)),
    )
    return join(folder, name ?? 'missing')
  }

  it.each([
    [
      'flipped in one bit',
      (path: string) => {
        const bytes = readFileSync(path)
        bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
        writeFileSync(path, bytes)
      },
    ],
    ['cut in half', (path: string) => truncateSync(path, readFileSync(path).length >> 1)],
    ['emptied', (path: string) => truncateSync(path, 0)],
  ])('%s fails its download without content, and no other download', async (_, damage) => {
    const server = await start()
    const secret = 'a thought nobody else may see '.repeat(20)
    const damaged = await snapshot(server, secret)
    const intact = await snapshot(server, 'another')
    damage(file(damaged.storageUri.replace('v2:ipfs://', '')))
    const response = await downloadAs(agentOf(folder), server.url, damaged.tokenId)
    const text = await response.text()
    expect(JSON.parse(text)).toMatchObject({ status: 500, code: 'blob/corrupt' })
    expect(text).not.toContain('thought')
    const other = await downloadAs(agentOf(folder), server.url, intact.tokenId)
    expect(other.status).toBe(200)
  })

  it('that is missing fails the download', async () => {
    const server = await start()
    const { storageUri, tokenId } = await snapshot(server, 'x')
    rmSync(file(storageUri.replace('v2:ipfs://', '')))
    const response = await downloadAs(agentOf(folder), server.url, tokenId)
    expect(await problemOf(response)).toEqual({ status: 500, code: 'blob/not-found' })
  })
})

describe('a data folder', () => {
  it('in use refuses a second server, and the first continues', async () => {
    const first = await start()
    await expect(start()).rejects.toThrow(/Another server is using .*DATA_DIR/)
    await snapshot(first, 'still here')
  })

  /** Starts a server on a file system of 4 MiB. */
  async function startOnSmallDisk() {
    const server = await startMountedServer(
      folder,
      'mount -t tmpfs -o size=4m,mode=0700 tmpfs "$0"',
    )
    cleanUps.push(() => server.end('SIGKILL'))
    return server
  }

  const readOnly = 'mount --bind "$0/blobs" "$0/blobs" && mount -o remount,bind,ro "$0/blobs"'

  it.each([
    ['full', 'cat /dev/zero > "$0/filler" || true', 'rm "$0/filler"'],
    ['read-only for blocks', readOnly, 'umount "$0/blobs"'],
  ])('that is %s fails snapshots, loses nothing, and recovers', async (_, breakIt, repairIt) => {
    const server = await startOnSmallDisk()
    const before = await snapshot(server, 'before')
    server.inside(breakIt)
    const refused = await post(server.url, '/api/memory/snapshot', bundle('y'.repeat(9_000)))
    expect(await problemOf(refused)).toEqual({ status: 500, code: 'blob/unavailable' })
    expect(BigInt(await rpc<string>(server.url, 'eth_blockNumber', []))).toBe(3n)
    expect((await fetch(`${server.url}/api/memory/1/info`)).status).toBe(200)
    server.inside(repairIt)
    const after = await snapshot(server, 'after')
    expect([before.tokenId, after.tokenId]).toEqual(['1', '2'])
  })

  it('that is full fails writes that store no blob, and recovers', async () => {
    const server = await startOnSmallDisk()
    await snapshot(server, 'before')
    const pay = () => post(server.url, '/api/marketplace/royalty/1', '{"amount":"5"}')
    server.inside('cat /dev/zero > "$0/filler" || true')
    // The journal's file has some free space until the first write that needs more.
    let response = await pay()
    while (response.status === 201) response = await pay()
    // The journal of the chain and the jobs share the disk.
    const code = expect.stringMatching(/^(ledger|store)\/unavailable$/)
    expect(await problemOf(response)).toEqual({ status: 503, code })
    const height = await rpc<string>(server.url, 'eth_blockNumber', [])
    server.inside('rm "$0/filler"')
    expect((await pay()).status).toBe(201)
    expect(BigInt(await rpc<string>(server.url, 'eth_blockNumber', []))).toBe(BigInt(height) + 1n)
  })

  it('that cannot be written refuses to start', async () => {
    const command = mounted(folder, 'mount -t tmpfs -o ro,mode=0700 tmpfs "$0"')
    const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: folder }
    const started = spawnSync('unshare', command, { env, encoding: 'utf8' })
    expect(started.status).toBe(1)
    expect(started.stderr).toMatch(/^\S+ cannot be used: .+\n$/)
  })
})

describe('the file of the jobs', () => {
  it('that is removed or replaced under a server takes no write that its end would lose', async () => {
    const server = await start()
    await snapshot(server, 'before')
    const [path, aside] = [join(folder, 'jobs.sqlite'), join(folder, 'aside')]
    const refused = { status: 503, code: 'store/unavailable' }
    const attempt = async () =>
      problemOf(await post(server.url, '/api/memory/snapshot', bundle('nowhere')))
    renameSync(path, aside)
    expect(await attempt()).toEqual(refused)
    expect(await problemOf(await fetch(`${server.url}/readyz`))).toEqual(refused)
    copyFileSync(aside, path)
    expect(await attempt()).toEqual(refused)
    renameSync(aside, path)
    expect((await snapshot(server, 'after')).tokenId).toBe('2')
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200)
  })
})

describe('the file of the embedded chain', () => {
  it('that is removed or replaced under a server makes it unready until it is put back', async () => {
    const server = await start()
    const [path, aside] = [join(folder, 'chain.sqlite'), join(folder, 'aside')]
    const ready = () => fetch(`${server.url}/readyz`)
    const unready = { component: 'chain', code: 'ledger/unavailable' }
    renameSync(path, aside)
    expect(await (await ready()).json()).toMatchObject(unready)
    copyFileSync(aside, path)
    expect(await (await ready()).json()).toMatchObject(unready)
    renameSync(aside, path)
    await expect.poll(async () => (await ready()).status).toBe(200)
    expect((await snapshot(server, 'after')).tokenId).toBe('1')
  })
})

describe('a bundle without a token', () => {
  it('is removed with its card by the next start, and bundles with a token stay', async () => {
    const first = await start()
    const card = { title: 'minted' }
    const { tokenId, contentHash } = await snapshot(first, 'minted', card)
    await first.end()
    const blobs = join(folder, 'blobs')
    // A server that is killed between the bundle and its token leaves this behind.
    const killed = await heliaBlobStore({ folder: blobs })
    const orphan = await killed.put(randomBytes(3_000_000))
    const orphanCard = await killed.put(encodeCard({ card, contentHash: hash(orphan) }))
    // A server that is killed after the mint, before it records the token, leaves this behind.
    const cardDocument = encodeCard({ card, contentHash: hash(contentHash) })
    const mintedCard = await killed.put(cardDocument)
    await killed.close()

    const second = await start()
    expect(await (await downloadAs(agentOf(folder), second.url, tokenId)).text()).toBe(
      bundle('minted'),
    )
    await second.end()
    const left = await heliaBlobStore({ folder: blobs })
    for (const removed of [orphan, orphanCard]) {
      await expect(left.get(removed)).rejects.toMatchObject({ code: 'blob/not-found' })
    }
    expect(await left.get(mintedCard)).toEqual(cardDocument)
    await left.close()
  })
})

describe('a remote chain', () => {
  it('that is down gives 503 and not ready, until it is back', async () => {
    const agent = wallets[0] as PrivateKeyAccount
    const state = join(folder, 'anvil.json')
    const anvil = await startAnvil({ state })
    cleanUps.push(anvil.stop)
    await testClient(anvil).setBalance({ address: agent.address, value: 10n ** 20n })
    const pair = await deployContracts({ chain: anvil.url, wallet: agent })
    const server = await start({
      RPC_URL: anvil.url.href,
      REGISTRY_ADDRESS: pair.registry,
      MARKETPLACE_ADDRESS: pair.marketplace,
      AGENT_PRIVATE_KEY: walletKeys[0] as string,
      MASTER_KEYS: '5a'.repeat(32),
    })
    const { tokenId } = await snapshot(server, 'before')
    const ready = async () => (await fetch(`${server.url}/readyz`)).status
    await expect.poll(ready).toBe(200)

    await anvil.stop()
    expect(await ready()).toBe(503)
    expect((await fetch(`${server.url}/livez`)).status).toBe(200)
    const responses = await Promise.all([
      fetch(`${server.url}/api/memory/${tokenId}/info`),
      fetch(`${server.url}/api/marketplace/listings/${tokenId}`),
      downloadAs(agent, server.url, tokenId),
      post(server.url, '/api/memory/snapshot', bundle('lost')),
      post(server.url, `/api/marketplace/buy/${tokenId}`),
    ])
    for (const response of responses) {
      expect(await problemOf(response)).toEqual({ status: 503, code: 'ledger/unavailable' })
    }

    const back = await startAnvil({ state, port: Number(anvil.url.port) })
    cleanUps.push(back.stop)
    await expect.poll(ready).toBe(200)
    expect(await (await downloadAs(agent, server.url, tokenId)).text()).toBe(bundle('before'))
    expect((await snapshot(server, 'after')).tokenId).toBe('2')
  })
})

describe('a graceful shutdown', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s finishes the accepted requests',
    async (signal) => {
      const server = await startServer({ DATA_DIR: folder })
      cleanUps.push(() => server.end('SIGKILL'))
      const requests = ['one', 'two', 'three'].map(async (thought) => {
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
        const body = bundle(thought)
        const response = text(socket)
        socket.write(
          `POST /api/memory/snapshot HTTP/1.1\r\nhost: ${new URL(server.url).host}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
        )
        // The server sends 100 Continue once it has the head of the request.
        await once(socket, 'data')
        return { finish: () => socket.write(body), response }
      })
      const open = await Promise.all(requests)
      const exit = server.end(signal)
      for (const { finish } of open) finish()
      for (const { response } of open) expect(await response).toContain('HTTP/1.1 201')
      expect(await exit).toBe(0)

      const again = await start()
      const agent = agentOf(folder)
      const downloads = await Promise.all(
        ['1', '2', '3'].map(async (id) => (await downloadAs(agent, again.url, id)).text()),
      )
      expect(downloads.toSorted()).toEqual(['one', 'three', 'two'].map(bundle))
    },
  )
})
