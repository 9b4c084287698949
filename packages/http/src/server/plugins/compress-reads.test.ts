import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { agent, mintToken, openHarness, proofOf, secondsOf } from '../../../test/server-harness.ts'

const harness = openHarness()
const id = await mintToken(harness)
await mintToken(harness)
await mintToken(harness)

const read = (url: string, encoding: string, more: object = {}) =>
  harness.server.inject({ url, headers: { 'accept-encoding': encoding, ...more } })

test('compresses what anyone may read, in the coding that the reader accepts', async () => {
  const plain = await read('/api/memory', 'identity')
  expect(plain.headers).toMatchObject({ vary: 'accept-encoding' })
  expect(plain.headers['content-encoding']).toBeUndefined()
  const brotli = await read('/api/memory', 'gzip, br')
  expect(brotli.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body)
  const gzip = await read('/api/memory', 'gzip')
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body)
  expect(Number(gzip.headers['content-length'])).toBe(gzip.rawPayload.length)
})

test.each([
  ['br;q=abc', undefined],
  ['br;q=2, gzip;q=0.5', 'gzip'],
  ['br;q=', undefined],
  ['br;q=0, gzip ; q=0.001', 'gzip'],
  ['br;level=4', undefined],
  ['br ; q=1.000', 'br'],
  ['br;q=0.000', undefined],
])('takes %j as accepting %s', async (accepted, coding) => {
  expect((await read('/api/memory', accepted)).headers['content-encoding']).toBe(coding)
})

test('says to HEAD, too, that the answer has codings', async () => {
  const headers = { 'accept-encoding': 'br' }
  const head = await harness.server.inject({ method: 'HEAD', url: '/api/memory', headers })
  expect([head.statusCode, head.headers.vary]).toEqual([200, 'accept-encoding'])
})

test('sends a short answer and a refusal as they are', async () => {
  for (const url of [`/api/memory/${id}/rentals`, '/api/memory/999/lineage', '/api/memory?limit=0'])
    expect((await read(url, 'br')).headers['content-encoding']).toBeUndefined()
})

test('compresses nothing that needs a proof: its length would give the secret away', async () => {
  const proof = await proofOf(agent, id, secondsOf(harness))
  for (const url of [`/api/memory/${id}`, `/api/memory/${id}/outline`]) {
    const answer = await read(url, 'gzip, br', proof)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-encoding']).toBeUndefined()
  }
})
