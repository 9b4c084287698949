import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import type { KeyService } from '@heirloom/core'
import { keyServiceLaws, memoryKeyService, walletKeys, wallets } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { run } from '../../../test/command-harness.ts'
import { tenantHouse } from '../../../test/tenant-house.ts'
import { readConfig } from '../../config/config.ts'
import { serve } from '../serve.ts'
import { openKeyService } from './agent-wallet.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'key-modules-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes a module, and returns its path. */
function moduleOf(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const open = (text: string, name = 'service.js') =>
  openKeyService({ kind: 'module', module: moduleOf(name, text) })

type Reply = Readonly<Record<string, unknown>>

const shared = globalThis as { keyServiceOfTest?: KeyService | undefined }

/** A module whose service is the one of the test. */
const given = 'export const keyService = () => globalThis.keyServiceOfTest'

describeLaws('the service of a module', keyServiceLaws, {
  open: async () => {
    shared.keyServiceOfTest = memoryKeyService()
    return open(given, 'given.js')
  },
})

test.each([
  ['absent', undefined, 'cannot be loaded'],
  ['broken', 'throw new Error("hunter2")', 'cannot be loaded'],
  ['other', 'export const service = 1', 'does not export the function keyService'],
  ['throwing', 'export const keyService = () => { throw new Error("hunter2") }', 'fails'],
  ['empty', 'export const keyService = () => ({ publicKey() {} })', 'without sign'],
  ['nothing', 'export const keyService = () => undefined', 'without publicKey'],
])('refuses a module that is %s', async (name, text, problem) => {
  const service =
    text === undefined
      ? openKeyService({ kind: 'module', module: join(folder, 'absent.js') })
      : open(text, `${name}.js`)
  const failure = await service.publicKey().catch((error: unknown) => error)
  expect(failure).toMatchObject({
    code: 'config/invalid',
    facts: { name: 'AGENT_KEY_SERVICE', problem: expect.stringContaining(problem) },
  })
  expect(inspect(failure, { depth: 10 })).not.toContain('hunter2')
})

test('what a module says of an error is in no failure', async () => {
  const text = `export const keyService = () => ({
    publicKey: async () => { throw new Error('hunter2', { cause: new Error('hunter2') }) },
    sign() { throw new TypeError('hunter2') },
  })`
  const service = open(text, 'failing.js')
  for (const act of [() => service.publicKey(), () => service.sign(new Uint8Array(32))]) {
    const failure = await act().catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'key-service/unavailable' })
    expect(inspect(failure, { depth: 10, showHidden: true })).not.toContain('hunter2')
  }
})

test('a service that signs with another key gets nothing sent, and a short outage is bridged', async () => {
  const [own, other] = [memoryKeyService(walletKeys[0]), memoryKeyService(walletKeys[1])]
  let signing: Pick<KeyService, 'sign'> = own
  let requests = 0
  const sign = (digest: Uint8Array) => {
    requests += 1
    return signing.sign(digest)
  }
  shared.keyServiceOfTest = { ...own, sign }
  const server = await serve(
    readConfig({
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      LOG_LEVEL: 'silent',
      AGENT_KEY_SERVICE: moduleOf('lying.js', given),
      AGENT_ADDRESS: wallets[0].address,
    }),
  )
  onTestFinished(() => server.close())
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${server.url}${path}`, init)
    return { status: response.status, body: (await response.json()) as Reply }
  }
  const snapshot = (thought: string) =>
    post('/api/memory/snapshot', { data: { thought }, metadata: { category: 'research' } })
  const nonce = async () => {
    const params = [wallets[0].address, 'pending']
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionCount', params }
    return (await post('/rpc', call)).body.result
  }
  expect((await snapshot('one')).body.tokenId).toBe('1')
  const before = await nonce()
  signing = other
  requests = 0
  const refused = await Promise.all(['two', 'three', 'four'].map(snapshot))
  for (const { status, body } of refused) {
    expect([status, body.code, body.retryable]).toEqual([500, 'key-service/wrong-key', false])
  }
  expect(await nonce()).toBe(before)
  // Mints that share a transaction are not tried apart, since no signature would be better.
  expect(requests).toBeLessThanOrEqual(3)
  signing = own
  expect((await snapshot('five')).body.tokenId).toBe('2')
  // An outage that is over in time costs nobody a write.
  let outages = 1
  signing = {
    sign: async (digest) => {
      outages -= 1
      if (outages >= 0) throw new Error('down')
      return own.sign(digest)
    },
  }
  expect((await snapshot('six')).body.tokenId).toBe('3')
})

test('a tenant acts with a key that the server has, and needs no key service', async () => {
  const { house, keys } = await tenantHouse('ada')
  const { ada = '' } = keys
  const key = readFileSync(join(house.folder, 'agent.key'), 'utf8').trim()
  let requests = 0
  const sign = () => {
    requests += 1
    return Promise.reject(new Error('down'))
  }
  shared.keyServiceOfTest = { ...memoryKeyService(key as `0x${string}`), sign }
  const AGENT_KEY_SERVICE = moduleOf('down.js', given)
  const more = { AGENT_KEY_SERVICE, AGENT_ADDRESS: house.agent().address }
  const server = await house.open(more)
  const id = await server.snapshot(ada)
  const { address: creator } = await house.walletOf('ada')
  expect((await server.get(`/api/memory/${id}/info`)).body).toMatchObject({ creator })
  expect((await server.get('/api/deployment')).body.agent).toBe(more.AGENT_ADDRESS)
  await server.close()
  const removal = ['tenants', 'remove', 'ada', '--yes']
  expect((await run(removal, { env: { ...house.env, ...more } })).code).toBe(0)
  expect(requests).toBe(0)
})

test('a PIN that every user of the machine can read is refused, and not shown', async () => {
  const pinFile = join(folder, 'pin')
  writeFileSync(pinFile, '123456\n', { mode: 0o644 })
  const place = { kind: 'pkcs11', pinFile, module: join(folder, 'none.so') } as never
  const failure = await openKeyService(place)
    .publicKey()
    .catch((error: unknown) => error)
  expect(failure).toMatchObject({
    code: 'config/invalid',
    facts: { name: 'AGENT_KEY_SERVICE', problem: expect.stringContaining('mode 0644') },
  })
  expect(inspect(failure)).not.toContain('123456')
})
