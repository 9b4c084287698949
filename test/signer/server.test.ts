import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { account } from '@heirloom/core'
import fc from 'fast-check'
import type { LocalAccount } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  keyServiceSigner,
  pkcs11KeyService,
  signerWallet,
} from '../../packages/adapters/src/ledger/signer/index.ts'
import { heirloom, mustPrint } from '../harness/process/heirloom.ts'
import {
  downloadAs,
  hostServer,
  type RunningServer,
  rpc,
  startServer,
} from '../harness/process/server.ts'
import {
  pin,
  placeOf,
  type SoftHsm,
  settingsOf,
  startSoftHsm,
} from '../harness/process/soft-hsm.ts'
import { longestWait } from '../tier.ts'

// A server whose agent key is in SoftHSM, behind a service with a process of its own.

let hsm: SoftHsm
let settings: Readonly<Record<string, string>>
let agent: LocalAccount
let shared: RunningServer & { readonly folder: string; readonly log: () => string }
const resources = new AsyncDisposableStack()
beforeAll(async () => {
  hsm = await startSoftHsm()
  resources.defer(() => hsm.stop())
  await hsm.addKey('other', '02')
  // A command in this process finds the service where every program that has its library does.
  for (const [name, value] of Object.entries(hsm.remote.env)) vi.stubEnv(name, value)
  resources.defer(() => void vi.unstubAllEnvs())
  const unnamed = settingsOf(hsm.remote, 'agent')
  const address = account(await mustPrint(unnamed, 'keys', 'agent'))
  settings = { ...unnamed, AGENT_ADDRESS: address }
  // The tests sign proofs in a way that no kill of the service reaches.
  const { env } = hsm.direct
  const service = pkcs11KeyService({ place: placeOf(hsm.direct, 'agent'), pin: () => pin, env })
  resources.defer(async () => service.close?.())
  agent = signerWallet(keyServiceSigner({ service, address }))
  const folder = mkdtempSync(join(tmpdir(), 'signer-'))
  resources.defer(() => rmSync(folder, { recursive: true, force: true }))
  // What a library prints of its calls has no place in a log of JSON, and may quote a PIN.
  const loud = { LOG_LEVEL: 'trace', P11_KIT_DEBUG: 'all' }
  const server = await startServer({ DATA_DIR: folder, ...settings, ...loud })
  resources.defer(async () => {
    await server.end('SIGKILL')
  })
  const chunks: Buffer[] = []
  server.process.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
  shared = { ...server, folder, log: () => Buffer.concat(chunks).toString() }
})
afterAll(() => resources.disposeAsync())

const running = new Set<RunningServer>()
const folders = new Set<string>()
afterEach(async () => {
  for (const server of running) await server.end('SIGKILL')
  running.clear()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  folders.clear()
  await hsm.signal('SIGKILL')
  await hsm.start()
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signer-'))
  folders.add(folder)
  return folder
}

async function start(DATA_DIR: string, more = {}): Promise<RunningServer> {
  const server = await startServer({ DATA_DIR, ...settings, ...more })
  running.add(server)
  return server
}

type Reply = { readonly status: number; readonly body: Readonly<Record<string, string>> }

async function send(url: string, path: string, body: object, key?: string): Promise<Reply> {
  const headers = { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(`${url}${path}`, init)
  return { status: response.status, body: (await response.json()) as Reply['body'] }
}

const memory = (thought: string) => ({ data: { thought }, metadata: { category: 'research' } })

const snapshot = (url: string, thought: string, key?: string) =>
  send(url, '/api/memory/snapshot', memory(thought), key)

const nonceOf = (url: string) =>
  rpc<string>(url, 'eth_getTransactionCount', [agent.address, 'latest'])

test('every write of the interface works with a key that the server never sees', async () => {
  const { url, folder, process: server } = shared
  const { body: first } = await snapshot(url, 'the first')
  const terms = { price: '700', rentalPricePerDay: '30', forkPrice: '90', forkRoyaltyBps: 500 }
  const { tokenId = '' } = first
  const recipient = `0x${'a1'.repeat(20)}`
  const acts = [
    ['/api/marketplace/list', { tokenId, ...terms }],
    [`/api/marketplace/rent/${tokenId}`, { durationDays: 2, recipient }],
    [`/api/marketplace/fork/${tokenId}`, { maxRoyaltyBps: 500 }],
    [`/api/marketplace/royalty/${tokenId}`, { amount: '5' }],
    [`/api/marketplace/buy/${tokenId}`, {}],
  ] as const
  for (const [path, body] of acts)
    expect([path, (await send(url, path, body)).status]).toEqual([path, 201])
  expect(await (await downloadAs(agent, url, tokenId)).json()).toEqual(memory('the first'))
  expect(existsSync(join(folder, 'agent.key'))).toBe(false)
  const seen = readFileSync(`/proc/${server.pid}/cmdline`, 'utf8')
  expect(seen).not.toContain(pin)
})

test('a service that is down costs a write a clean 503, and nothing else', async () => {
  const { url, log } = shared
  const { body: first } = await snapshot(url, 'before')
  const nonce = await nonceOf(url)
  await hsm.signal('SIGKILL')
  const refused = await snapshot(url, 'meanwhile', 'a-key')
  expect([refused.status, refused.body]).toMatchObject([
    503,
    { code: 'key-service/unavailable', retryable: true },
  ])
  const ready = await fetch(`${url}/readyz`)
  expect([ready.status, await ready.json()]).toMatchObject([
    503,
    { component: 'keyService', code: 'key-service/unavailable' },
  ])
  expect((await fetch(`${url}/livez`)).status).toBe(200)
  expect((await downloadAs(agent, url, first.tokenId ?? '')).status).toBe(200)
  expect(await nonceOf(url)).toBe(nonce)
  await hsm.start()
  const again = await snapshot(url, 'meanwhile', 'a-key')
  expect(again.status).toBe(201)
  expect(await snapshot(url, 'meanwhile', 'a-key')).toEqual(again)
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200)
  const text = await (await fetch(`${url}/metrics`)).text()
  expect(text).toMatch(
    /heirloom_key_service_seconds_count\{operation="sign",result="key-service\/unavailable"\} [1-9]/,
  )
  await expect.poll(log).toContain('the key service answers again')
  expect(log()).not.toContain(pin)
  for (const line of log().split('\n').slice(0, -1)) expect(line).toMatch(/^\{.*\}$/)
})

test('a service that hangs holds up no read, and a write not for ever', async () => {
  const { url } = shared
  const { body: first } = await snapshot(url, 'before')
  await hsm.signal('SIGSTOP')
  const ended: string[] = []
  const write = snapshot(url, 'meanwhile').finally(() => ended.push('write'))
  expect((await fetch(`${url}/api/memory/${first.tokenId}/info`)).status).toBe(200)
  ended.push('read')
  const refused = await write
  expect(ended).toEqual(['read', 'write'])
  expect(refused.body.code).toBe('key-service/unavailable')
  await hsm.signal('SIGCONT')
  expect((await snapshot(url, 'after')).status).toBe(201)
})

test('a server starts while its service is down, reads, and writes once it is back', async () => {
  const folder = newFolder()
  const before = await hostServer({ DATA_DIR: folder, ...settings })
  const { body: first } = await snapshot(before.url, 'before')
  await before.end()
  const doctor = () => heirloom({ DATA_DIR: folder, ...settings }, 'doctor')
  const { output, code } = await doctor()
  expect(output).toMatch(`ok    agent-key         The agent wallet is ${agent.address}.`)
  expect(output).toMatch(/ok {4}key-service-laws {2}All 3 laws hold here/)
  await hsm.signal('SIGKILL')
  const failed = await doctor()
  expect([code, failed.code]).toEqual([0, 1])
  expect(failed.output).toMatch(/^fail {2}agent-key/m)
  expect(failed.output).toContain('key-service-laws: the agent wallet did not sign')
  const { url } = await start(folder)
  expect((await downloadAs(agent, url, first.tokenId ?? '')).status).toBe(200)
  await hsm.start()
  expect((await snapshot(url, 'after')).body.tokenId).toBe('2')
})

test('a start refuses a wrong setting, and says what to do', async () => {
  const folder = newFolder()
  const { AGENT_ADDRESS: address = '', ...unnamed } = settings
  const refusals = [
    [{ ...settingsOf(hsm.remote, 'other'), AGENT_ADDRESS: address }, `AGENT_ADDRESS is ${address}`],
    [{ ...settings, AGENT_KEY_PIN: 'not the pin' }, 'is not the PIN that the token takes'],
    [unnamed, 'heirloom keys agent'],
    [{ ...settings, AGENT_PRIVATE_KEY: '1'.repeat(64) }, 'AGENT_PRIVATE_KEY must be left out'],
  ] as const
  for (const [environment, sentence] of refusals) {
    const failure = await hostServer({ DATA_DIR: folder, ...environment }).catch((it: Error) => it)
    expect(String(failure)).toContain(sentence)
    expect(String(failure)).not.toContain(pin)
    expect(String(failure)).not.toContain('not the pin.')
  }
})

/** Requests that clients repeat under their keys until they are answered. */
async function sendAll(url: () => string, keys: readonly string[], answered: Map<string, string>) {
  for (const key of keys) {
    const send = async () => {
      const { status, body } = await snapshot(url(), key, key)
      expect([key, status]).toEqual([key, 201])
      answered.set(key, body.tokenId ?? '')
    }
    await vi.waitFor(send, { timeout: longestWait, interval: 50 })
  }
}

test('kills of the server and of the service lose nothing and do nothing twice', async () => {
  const folder = newFolder()
  let server = await start(folder)
  const answered = new Map<string, string>()
  const clients = Array.from({ length: 4 }, (_, client) =>
    Array.from({ length: 6 }, (_, turn) => `memory-${client}-${turn}`),
  )
  const url = () => server.url
  const writing = Promise.all(clients.map((keys) => sendAll(url, keys, answered)))
  const [moments = []] = fc.sample(fc.array(fc.nat(900), { minLength: 3, maxLength: 3 }), {
    seed: Number(process.env.FC_SEED ?? 1),
    numRuns: 1,
  })
  const killService = () => hsm.signal('SIGKILL').then(hsm.start)
  const killServer = async () => {
    await server.end('SIGKILL')
    server = await start(folder)
  }
  const killBoth = async () => {
    await hsm.signal('SIGKILL')
    await killServer()
    await hsm.start()
  }
  const kills = [killService, killServer, killBoth]
  for (const [round, moment] of moments.entries()) {
    await new Promise((resolve) => setTimeout(resolve, moment))
    await kills[round % kills.length]?.()
  }
  await writing
  const tokens = [...answered.values()]
  expect(new Set(tokens).size).toBe(24)
  // Each key names the same token for ever, and there are no others.
  for (const [key, tokenId] of answered) {
    expect((await snapshot(server.url, key, key)).body.tokenId).toBe(tokenId)
    const opened = await downloadAs(agent, server.url, tokenId)
    expect(await opened.json()).toEqual(memory(key))
  }
  expect((await fetch(`${server.url}/api/memory/24/info`)).status).toBe(200)
  expect((await fetch(`${server.url}/api/memory/25/info`)).status).toBe(404)
})
