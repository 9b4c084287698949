import { expect, test } from 'vitest'
import { openWorld, post } from '../../test/world.ts'

const asked: unknown[] = []
const world = openWorld({
  config: { bodyLimit: 2 ** 22 },
  rpc: async (body) => {
    asked.push(body)
    return Array.isArray(body) ? undefined : { jsonrpc: '2.0', id: 1, result: ['0x1', { a: null }] }
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
  const large = await post(world, '/rpc', JSON.stringify('x'.repeat(2 ** 20)))
  expect([large.statusCode, large.json().facts]).toEqual([413, { limit: 2 ** 20 }])
})

test('is not there without an embedded chain', async () => {
  const reply = await post(openWorld(), '/rpc', {})
  expect([reply.statusCode, reply.json().code]).toEqual([404, 'route/not-found'])
})
