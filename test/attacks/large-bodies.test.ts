import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHarness } from '../../packages/http/test/server-harness.ts'

const mebibyte = 2 ** 20

let harness: ReturnType<typeof openHarness>
beforeAll(() => {
  harness = openHarness({ config: { bodyLimit: 64 * mebibyte } })
})
afterAll(() => harness.server.close())

/** A body that takes a hundred times its length when it is parsed. */
const nested = (bytes: number) => `{"score":5,"x":[${'[],'.repeat(bytes / 3)}[]]}`

async function send(url: string, body: string) {
  const headers = { 'content-type': 'application/json' }
  const reply = await harness.server.inject({ method: 'POST', url, headers, payload: body })
  return [reply.statusCode, reply.json().code]
}

test('a body of 1 MiB without a memory is refused before it is read', async () => {
  for (const url of ['/api/marketplace/list', '/api/memory/1/ratings']) {
    expect(await send(url, nested(mebibyte))).toEqual([413, 'request/too-large'])
  }
})

test.each(['metadata', 'card', 'other'])('a memory has no more than 1 MiB of %s', async (name) => {
  const member = nested(2 * mebibyte)
  const body = `{"data":{},"${name}":${member}${name === 'metadata' ? '' : ',"metadata":{"category":"x"}'}}`
  expect(await send('/api/memory/snapshot', body)).toEqual([400, 'request/malformed'])
})

test('a request has no more than a thousand members, in a short body and in a long one', async () => {
  for (const count of [1001, 100_000]) {
    const members = Array.from({ length: count }, (_, at) => `"m${at}":1`).join()
    const body = `{"data":{},"metadata":{"category":"x"},${members}}`
    expect(await send('/api/memory/snapshot', body)).toEqual([400, 'request/malformed'])
  }
})
