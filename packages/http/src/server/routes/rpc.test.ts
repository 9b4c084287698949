import { expect, test } from 'vitest'
import { openWorld, post } from '../../../test/server-harness.ts'
import { clientOf } from './rpc.ts'

const asked: unknown[] = []
const world = openWorld({
  config: { bodyLimit: 2 ** 22 },
  rpc: async (body) => {
    asked.push(body)
    const answer = { jsonrpc: '2.0', id: 1, result: ['0x1', { a: null }] }
    return { answer: Array.isArray(body) ? undefined : answer }
  },
})

test('hands the call over and the answer back, whole', async () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ data: '0x' }] }
  const reply = await post(world, '/rpc', call)
  expect([reply.statusCode, asked.at(-1)]).toEqual([200, call])
  expect(reply.json()).toEqual({ jsonrpc: '2.0', id: 1, result: ['0x1', { a: null }] })
})

test('takes a batch, and answers nothing where nothing is asked for', async () => {
  const batch = [{ jsonrpc: '2.0', method: 'eth_chainId' }]
  const reply = await post(world, '/rpc', batch)
  expect([reply.statusCode, reply.body, asked.at(-1)]).toEqual([204, '', batch])
})

test.each(['{', '', '{"a":1}}'])('answers "%s" as JSON-RPC does', async (text) => {
  const reply = await post(world, '/rpc', text)
  expect(reply.json()).toMatchObject({ id: null, error: { code: -32700 } })
})

test('takes no other type, and no large call', async () => {
  const typed = await post(world, '/rpc', '{}', { 'content-type': 'text/plain' })
  expect(typed.statusCode).toBe(415)
  const large = await post(world, '/rpc', JSON.stringify('x'.repeat(2 ** 18)))
  expect([large.statusCode, large.json().facts]).toEqual([413, { limit: 2 ** 18 }])
})

test('answers 429 where nothing was done, and says when to try again', async () => {
  const refusal = { jsonrpc: '2.0', id: 1, error: { code: -32005, message: 'Wait.' } }
  const clients: string[] = []
  const busy = openWorld({
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

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:10.0.0.7', '10.0.0.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('knows the client %s as %s', (ip, client) => {
  expect(clientOf(ip)).toBe(client)
})

test('is not there without an embedded chain', async () => {
  const reply = await post(openWorld(), '/rpc', {})
  expect([reply.statusCode, reply.json().code]).toEqual([404, 'route/not-found'])
})
