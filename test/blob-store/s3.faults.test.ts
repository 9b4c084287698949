import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { type S3Place, s3BlobStorage } from '@heirloom/adapters/blob-store/s3'
import type { Digest, OpenBlobStore } from '@heirloom/core'
import { blobStoreLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import fc from 'fast-check'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  errorText,
  type ObjectFault,
  type ObjectStore,
  startObjectStore,
} from '../harness/process/object-store.ts'
import { longestWait } from '../tier.ts'

const credentials = { accessKeyId: 'known-key', secretAccessKey: 'secret-of-the-key' }

/** Short enough for tests that wait for it to end. */
const shortPatience = 1200

let bucket: ObjectStore
let folder: string
beforeEach(async () => {
  bucket = await startObjectStore()
  folder = mkdtempSync(join(tmpdir(), 'bucket-notes-'))
  onTestFinished(async () => {
    await bucket.close()
    rmSync(folder, { recursive: true })
  })
})

const placeAt = (endpoint: string): S3Place => ({
  bucket: 'memories',
  prefix: 'agents/',
  endpoint,
  region: undefined,
  pathStyle: true,
})

function storageWith(patience = longestWait) {
  const place = placeAt(new URL(bucket.url).origin)
  return s3BlobStorage({ place, folder, credentials, patience })
}

async function openStore(patience?: number): Promise<OpenBlobStore> {
  const store = await storageWith(patience).open()
  onTestFinished(() => store.close())
  return store
}

// Each case is many requests.
const runs = fc.readConfigureGlobal().numRuns ?? 100
fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: Math.ceil(runs / 5) })

describeLaws('s3 blob store', blobStoreLaws, {
  open: async () => {
    const memory = await startObjectStore()
    const notes = mkdtempSync(join(tmpdir(), 'bucket-notes-'))
    const place = placeAt(new URL(memory.url).origin)
    const store = await s3BlobStorage({ place, folder: notes, credentials }).open()
    const close = async () => {
      await store.close()
      await memory.close()
      rmSync(notes, { recursive: true })
    }
    return { ...store, close }
  },
  close: (store: OpenBlobStore) => store.close(),
})

const refusing =
  (status: number, code: string): ObjectFault =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/xml' }).end(errorText(code))
    return true
  }

/** Applies a fault to the first requests, and none to later ones. */
function atFirst(times: number, fault: ObjectFault): ObjectFault {
  let left = times
  return (...call) => left-- > 0 && fault(...call)
}

/** Answers reads with other bytes than those that are stored. */
const answering =
  (change: (stored: Uint8Array) => Uint8Array): ObjectFault =>
  (_, response, stored) => {
    if (stored === undefined) return false
    response.writeHead(200).end(change(stored))
    return true
  }

const hanging: ObjectFault = () => true

/** Sends a part of what it announced, and closes the connection. */
const breakingOff: ObjectFault = (_, response, stored) => {
  if (stored === undefined) return false
  response.writeHead(200, { 'content-length': stored.length })
  response.write(stored.subarray(0, stored.length >> 1), () => response.destroy())
  return true
}

/** Sends bytes without an end, as fast as they are read; calls back with the length of each part. */
const endless =
  (onSent: (length: number) => void): ObjectFault =>
  (_, response, stored) => {
    if (stored === undefined) return false
    const part = Buffer.alloc(65_536)
    const send = (): void => {
      while (!response.destroyed && response.write(part)) onSent(part.length)
      if (!response.destroyed) response.once('drain', send)
    }
    send()
    return true
  }

/** Every way to call a store. */
const calls: Readonly<Record<string, (store: OpenBlobStore, name: Digest) => Promise<unknown>>> = {
  put: (store) => store.put(randomBytes(100)),
  'put of a tree': (store) => store.put(randomBytes(2 ** 21)),
  get: (store, name) => store.get(name),
  head: (store, name) => store.head(name),
  'get of an unknown digest': (store) => store.get(`0x${'7'.repeat(64)}` as Digest),
  remove: (store, name) => store.remove(name),
}

describe.each<[name: string, fault: ObjectFault, reason?: string]>([
  ['answers 503 SlowDown', refusing(503, 'SlowDown')],
  ['answers 500', refusing(500, 'InternalError'), 'InternalError'],
  ['refuses with 403 AccessDenied', refusing(403, 'AccessDenied'), 'AccessDenied'],
  ['has lost its bucket', refusing(404, 'NoSuchBucket'), 'NoSuchBucket'],
  ['is a web page with 404', (_, it) => it.writeHead(404).end('<h1>Nothing here</h1>') && true],
  ['moves elsewhere', (_, it) => it.writeHead(301, { location: '/elsewhere' }).end() && true],
  ['does not answer', hanging],
])('a store that %s', (_, fault, reason) => {
  test.each(Object.entries(calls))('makes %s `blob/unavailable` in time', async (_, call) => {
    const patient = await openStore()
    const name = await patient.put(randomBytes(200))
    await patient.close()
    const store = await openStore(shortPatience)
    bucket.fault = fault
    const error = await call(store, name).catch((it: unknown) => it)
    const facts = reason === undefined ? {} : { reason }
    expect(error).toMatchObject({ code: 'blob/unavailable', facts })
    const printed = inspect(error, { depth: 9, showHidden: true })
    for (const secret of ['known-key', 'secret-of-the-key', 'Signature']) {
      expect(printed).not.toContain(secret)
    }
    bucket.fault = undefined
    const lengthOf = async () => (await store.get(name)).length
    await expect.poll(() => lengthOf().catch(() => 0)).toBe(200)
  })
})

describe.each<[name: string, change: (stored: Uint8Array) => Uint8Array]>([
  ['cut in half', (stored) => stored.subarray(0, stored.length >> 1)],
  ['short of their last byte', (stored) => stored.subarray(0, -1)],
  ['longer', (stored) => Buffer.concat([stored, Buffer.of(0)])],
  ['wrong in one bit', (stored) => stored.with(0, (stored[0] ?? 0) ^ 1)],
  ['those of another object', (stored) => stored.map((byte) => ~byte)],
  ['gone', () => new Uint8Array()],
])('bytes that are %s', (_, change) => {
  test.each([1, 2000, 2 ** 21])('make a blob of %i bytes `blob/corrupt`', async (length) => {
    const store = await openStore()
    const bytes = randomBytes(length)
    const name = await store.put(bytes)
    bucket.fault = answering(change)
    await expect(store.get(name)).rejects.toMatchObject({ code: 'blob/corrupt' })
    await expect(store.head(name)).rejects.toMatchObject({ code: 'blob/corrupt' })
    bucket.fault = undefined
    expect(bytes.equals(await store.get(name))).toBe(true)
  })
})

test('an object that is damaged where it is stored is whole again after another put', async () => {
  const store = await openStore()
  const bytes = randomBytes(2 ** 21)
  const name = await store.put(bytes)
  const blocks = [...bucket.objects]
  expect(blocks.length).toBe(3)
  for (const [path] of blocks) {
    bucket.objects.set(path, randomBytes(40))
    await expect(store.get(name)).rejects.toMatchObject({ code: 'blob/corrupt' })
    expect(await store.put(bytes)).toBe(name)
    expect(bytes.equals(await store.get(name))).toBe(true)
  }
})

test('an object without an end is corrupt, and is not read to the memory limit', async () => {
  const store = await openStore()
  const name = await store.put(randomBytes(100))
  let sent = 0
  bucket.fault = endless((length) => {
    sent += length
  })
  await expect(store.get(name)).rejects.toMatchObject({ code: 'blob/corrupt' })
  expect(sent).toBeLessThan(2 ** 24)
})

test.each<[name: string, fault: ObjectFault]>([
  ['is slowed down twice', atFirst(2, refusing(503, 'SlowDown'))],
  ['breaks off once', atFirst(1, breakingOff)],
  ['resets its connection once', atFirst(1, (request) => Boolean(request.destroy()))],
])('a read that %s succeeds', async (_, fault) => {
  const store = await openStore()
  const bytes = randomBytes(5000)
  const name = await store.put(bytes)
  bucket.fault = fault
  expect(bytes.equals(await store.get(name))).toBe(true)
})

test('a response that always breaks off is `blob/unavailable`', async () => {
  const store = await openStore()
  const name = await store.put(randomBytes(5000))
  bucket.fault = breakingOff
  await expect(store.get(name)).rejects.toMatchObject({ code: 'blob/unavailable' })
})

test('an upload that a page of a proxy answers is not taken for stored', async () => {
  const store = await openStore()
  bucket.fault = (_, response) => Boolean(response.writeHead(200).end('<html>Sign in</html>'))
  const bytes = randomBytes(5000)
  await expect(store.put(bytes)).rejects.toMatchObject({ code: 'blob/unavailable' })
  bucket.fault = undefined
  expect(bytes.equals(await store.get(await store.put(bytes)))).toBe(true)
})

test.each([
  ['nothing', () => undefined],
  ['half of it', (path: string, body: Uint8Array) => bucket.objects.set(path, body.subarray(9))],
])(
  'an upload of which a store keeps %s, whatever it answers, is not acknowledged',
  async (_, keep) => {
    const store = await openStore()
    bucket.fault = (request, response) => {
      if (request.method !== 'PUT') return false
      void buffer(request).then((body) => {
        keep(new URL(request.url ?? '', bucket.url).pathname, body)
        response.writeHead(200, { etag: '"stored"' }).end()
      })
      return true
    }
    const bytes = randomBytes(5000)
    await expect(store.put(bytes)).rejects.toMatchObject({ code: 'blob/unavailable' })
    bucket.fault = undefined
    expect(bytes.equals(await store.get(await store.put(bytes)))).toBe(true)
  },
)

test('a clock that is wrong by an hour is corrected by that of the store', async () => {
  const store = await openStore()
  const ahead = 3_600_000
  const refused: unknown[] = []
  bucket.fault = (request, response, stored) => {
    const [date = '', time = ''] = String(request.headers['x-amz-date']).split('T')
    const parts = [date.slice(0, 4), date.slice(4, 6), date.slice(6, 8)].join('-')
    const sent = `${parts}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4, 6)}Z`
    response.setHeader('date', new Date(Date.now() + ahead).toUTCString())
    if (Math.abs(Date.parse(sent) - ahead - Date.now()) < 900_000) return false
    refused.push(request.method)
    return refusing(403, 'RequestTimeTooSkewed')(request, response, stored)
  }
  const bytes = randomBytes(50)
  expect(bytes.equals(await store.get(await store.put(bytes)))).toBe(true)
  expect(refused).toEqual(['PUT'])
})

describe('an opening', () => {
  test.each([
    [404, 'NoSuchBucket', 'does not exist'],
    [403, 'AccessDenied', 'policy'],
    [403, 'InvalidAccessKeyId', 'access key'],
    [403, 'SignatureDoesNotMatch', 'secret'],
    [301, 'PermanentRedirect', 'region'],
  ])('fails when the store answers %i %s', async (status, code, problem) => {
    bucket.fault = refusing(status, code)
    const error = await storageWith()
      .open()
      .catch((it: unknown) => it)
    const operation = expect.stringContaining(problem)
    expect(error).toMatchObject({ code: 'blob/unavailable', facts: { operation } })
  })

  test('succeeds while the store does not answer, and its first put after that, too', async () => {
    bucket.fault = refusing(503, 'ServiceUnavailable')
    const store = await openStore()
    await expect(store.put(randomBytes(9))).rejects.toMatchObject({ code: 'blob/unavailable' })
    bucket.fault = undefined
    expect((await store.get(await store.put(randomBytes(9)))).length).toBe(9)
  })
})

test('a put whose acknowledgement is lost leaves no orphan after the next start', async () => {
  const store = await openStore()
  bucket.fault = (request, response) => {
    if (request.method !== 'PUT') return false
    bucket.objects.set(request.url?.replace(/\?.*/, '') ?? '', Buffer.of(1))
    return refusing(500, 'InternalError')(request, response, undefined)
  }
  await expect(store.put(randomBytes(99))).rejects.toMatchObject({ code: 'blob/unavailable' })
  bucket.fault = undefined
  await store.close()
  expect(bucket.objects.size).toBe(1)
  await (await openStore()).sweep(async () => false)
  expect(bucket.objects.size).toBe(0)
})
