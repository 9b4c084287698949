import { expect, test } from 'vitest'
import { openHarness, post } from '../../../test/server-harness.ts'

const calls: unknown[] = []
const harness = openHarness({
  config: { bodyLimit: 2 ** 22 },
  rpc: async (body) => {
    calls.push(body)
    const answer = { jsonrpc: '2.0', id: 1, result: ['0x1', { a: null }] }
    return { answer: Array.isArray(body) ? undefined : answer }
  },
})

test('passes on the call and the answer unchanged', async () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ data: '0x' }] }
  const reply = await post(harness, '/rpc', call)
  expect([reply.statusCode, calls.at(-1)]).toEqual([200, call])
  expect(reply.json()).toEqual({ jsonrpc: '2.0', id: 1, result: ['0x1', { a: null }] })
})

test('accepts a batch, and answers nothing to a notification', async () => {
  const batch = [{ jsonrpc: '2.0', method: 'eth_chainId' }]
  const reply = await post(harness, '/rpc', batch)
  expect([reply.statusCode, reply.body, calls.at(-1)]).toEqual([204, '', batch])
})

test.each(['{', '', '{"a":1}}'])('answers "%s" as JSON-RPC does', async (text) => {
  const reply = await post(harness, '/rpc', text)
  expect(reply.json()).toMatchObject({ id: null, error: { code: -32700 } })
})

test('refuses other media types and large calls', async () => {
  const typed = await post(harness, '/rpc', '{}', { 'content-type': 'text/plain' })
  expect(typed.statusCode).toBe(415)
  const large = await post(harness, '/rpc', JSON.stringify('x'.repeat(2 ** 18)))
  expect([large.statusCode, large.json().facts]).toEqual([413, { limit: 2 ** 18 }])
})

test('replies 429 with retry-after where nothing was done', async () => {
  const refusal = { jsonrpc: '2.0', id: 1, error: { code: -32005, message: 'Wait.' } }
  const clients: string[] = []
  const busy = openHarness({
    rpc: async (_, client) => {
      clients.push(client)
      return { answer: refusal, retryAfter: 7 }
    },
  })
  const reply = await post(busy, '/rpc', { jsonrpc: '2.0', id: 1, method: 'eth_call' })
  expect([reply.statusCode, reply.headers['retry-after'], reply.json()]).toEqual([
    429,
    '7',
    refusal,
  ])
  expect(clients).toEqual(['127.0.0.1'])
})

test('is absent without an embedded chain', async () => {
  const reply = await post(openHarness(), '/rpc', {})
  expect([reply.statusCode, reply.json().code]).toEqual([404, 'route/not-found'])
})
