import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { deferredChain } from '@heirloom/adapters/internal/deferred-chain'
import { Failure } from '@heirloom/core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { memory } from '../../test/server-harness.ts'
import { readConfig } from '../config/config.ts'
import { openChain } from './open-chain.ts'
import { serve } from './serve.ts'

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return {
    folder,
    config: readConfig({ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent' }),
  }
}

describe('a stop', () => {
  test('is announced for STOP_DELAY seconds, in which requests are answered', async () => {
    const { config } = newFolder()
    const server = await serve({ ...config, stopDelay: 1 })
    await server.ready
    const statusOf = async (path: string) => (await fetch(new URL(path, server.url))).status
    expect(await statusOf('/readyz')).toBe(200)
    const closed = server.close()
    const ready = await fetch(new URL('/readyz', server.url))
    const problem = { code: 'service/stopping', component: 'server' }
    expect([ready.status, await ready.json()]).toMatchObject([503, problem])
    expect([await statusOf('/livez'), await statusOf('/api/wallet')]).toEqual([200, 200])
    await closed
    await expect(statusOf('/livez')).rejects.toThrow('fetch failed')
  })
})

describe('a start that fails', () => {
  test('closes the parts that opened meanwhile', async () => {
    const { folder, config } = newFolder()
    const jobs = join(folder, 'jobs.sqlite')
    mkdirSync(jobs)
    await expect(serve(config)).rejects.toMatchObject({
      code: 'config/invalid',
      facts: { name: 'DATA_DIR' },
    })
    rmdirSync(jobs)
    const server = await serve(config)
    await server.ready
    const ready = await fetch(new URL('/readyz', server.url))
    expect(ready.status).toBe(200)
    await server.close()
  })

  test('reports the failure of the chain, whatever else fails', async () => {
    const { folder, config } = newFolder()
    const server = await serve(config)
    await server.ready
    await server.close()
    for (const name of ['jobs.sqlite', 'blobs', 'chain.sqlite']) {
      rmSync(join(folder, name), { recursive: true })
    }
    mkdirSync(join(folder, 'jobs.sqlite'))
    writeFileSync(join(folder, 'blobs'), 'a file where a folder should be')
    writeFileSync(join(folder, 'chain.sqlite'), 'A text where a database should be. '.repeat(100))
    await expect(serve(config)).rejects.toMatchObject({ code: 'folder/unusable' })
  })
})

test('makes all its files private, in a folder that other users could enter', async () => {
  const { folder, config } = newFolder()
  chmodSync(folder, 0o755)
  const server = await serve(config)
  await server.ready
  const modes = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => [name, statSync(join(folder, name)).mode & 0o777] as const)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(modes.filter(([name]) => name.endsWith('-wal')).length).toBeGreaterThan(2)
  for (const [name, mode] of modes) expect([name, mode]).toEqual([name, 0o600])
  await server.close()
})

/** Returns an `open` whose chain waits for a gate, and a promise of the first call to it. */
function gatedChain() {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const called = Promise.withResolvers<void>()
  const open: typeof openChain = async (config, agent) => {
    const chain = await openChain(config, agent)
    const waiting = deferredChain(
      promise.then(() => chain.source as ReturnType<typeof deferredChain>),
    )
    const request: typeof waiting.request = (get) => {
      if (get.method === 'eth_call') called.resolve()
      return waiting.request(get)
    }
    const source = { ...waiting, request }
    const giveUp = () => reject(new Failure('ledger/unavailable', { operation: 'nothing' }))
    return { ...chain, source, giveUp, isReady: source.isOpen, ready: source.opened }
  }
  return { open, openGate: resolve, called: called.promise }
}

type Config = ReturnType<typeof newFolder>['config']

/** Leaves a journal with one token, which the catalogue has indexed. */
async function mintBefore(config: Config): Promise<void> {
  const server = await serve(config)
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(memory)
  const url = `${server.url}/api/memory/snapshot`
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(201)
  expect(await (await fetch(`${server.url}/api/memory`)).json()).toMatchObject(oneToken)
  await server.close()
}

const oneToken = { items: [{ tokenId: '1' }] }

describe('a server whose chain is not ready yet', () => {
  test('answers from the catalogue, and makes requests for the chain wait', async () => {
    const { config } = newFolder()
    await mintBefore(config)
    const { open, openGate, called } = gatedChain()
    const server = await serve(config, open)
    const get = (path: string) => fetch(new URL(path, server.url))
    expect(await (await get('/api/memory')).json()).toMatchObject(oneToken)
    expect((await get('/livez')).status).toBe(200)
    const down = await get('/readyz')
    expect(down.status).toBe(503)
    const components = { chain: 'ledger/unavailable', storage: 'ok', catalogue: 'ok' }
    expect(await down.json()).toMatchObject({ component: 'chain', components })
    const waiting = get('/api/memory/1/info')
    await called
    openGate()
    await server.ready
    expect(await (await waiting).json()).toMatchObject({ tokenId: '1' })
    expect((await get('/readyz')).status).toBe(200)
    await server.close()
  })

  test('closes on request, and refuses the requests that wait', async () => {
    const { config } = newFolder()
    await mintBefore(config)
    const { open, called } = gatedChain()
    const server = await serve(config, open)
    const waiting = fetch(new URL('/api/memory/1/info', server.url))
    await called
    await server.close()
    expect(await (await waiting).json()).toMatchObject({ status: 503, code: 'ledger/unavailable' })
    await expect(server.ready).rejects.toMatchObject({ code: 'ledger/unavailable' })
    const again = await serve(config)
    await again.ready
    await again.close()
  })

  test('does not wait for the chain if it cannot listen', async () => {
    const { config } = newFolder()
    await mintBefore(config)
    const there = await serve(newFolder().config)
    onTestFinished(() => there.close())
    const port = Number(new URL(there.url).port)
    await expect(serve({ ...config, port }, gatedChain().open)).rejects.toMatchObject({
      facts: { name: 'PORT' },
    })
    const again = await serve(config)
    await again.ready
    await again.close()
  })

  test('fails as its chain does, and closes the folder', async () => {
    const { folder, config } = newFolder()
    await mintBefore(config)
    const journal = new DatabaseSync(join(folder, 'chain.sqlite'))
    journal.exec(`UPDATE entry SET timestamp = timestamp + 1 WHERE number = 1`)
    journal.close()
    const server = await serve(config)
    await expect(server.ready).rejects.toMatchObject({ code: 'journal/diverged' })
    const refused = await fetch(new URL('/api/memory/1/info', server.url))
    expect(await refused.json()).toMatchObject({ code: 'ledger/unavailable' })
    await server.close()
    const again = await serve(config)
    await expect(again.ready).rejects.toMatchObject({ code: 'journal/diverged' })
    await again.close()
  })
})
