import { EventEmitter, once } from 'node:events'
import { wei } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { addressOf, agent, openHarness } from '../../../test/server-harness.ts'

const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

const message = (method: string, id: number) => ({ jsonrpc: '2.0', id, method, params: {} })
const batchOf = (count: number) =>
  Array.from({ length: count }, (_, id) => message('tools/list', id))

const remoteAddress = '203.0.113.9'

/** Returns what sends a text to the route of a server, from an address. */
const sending =
  ({ server }: ReturnType<typeof openHarness>) =>
  (payload: string, from = remoteAddress) =>
    server.inject({ method: 'POST', url: '/mcp?tools=all', remoteAddress: from, headers, payload })

describe('a batch', () => {
  test('of ten messages is answered', async () => {
    const send = sending(openHarness())
    const { statusCode, body } = await send(JSON.stringify(batchOf(10)))
    expect([statusCode, body.match(/"id":\d+/g)?.length]).toEqual([200, 10])
  })

  test.each([
    ['eleven messages', 11, ''],
    ['a hundred messages', 100, ''],
    ['eleven messages behind white space', 11, ' \n\t'],
    ['eleven messages behind a byte order mark', 11, '\ufeff'],
  ])('of %s is refused with a sentence', async (_, count, before) => {
    const send = sending(openHarness())
    const reply = await send(before + JSON.stringify(batchOf(count)))
    expect(reply.statusCode).toBe(400)
    expect(reply.headers['content-type']).toContain('application/json')
    expect(reply.json()).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: {
        code: -32600,
        message: `a batch may hold 10 messages, and this one holds ${count}: send it in parts`,
      },
    })
  })

  test('counts as many requests as it has messages', async () => {
    const send = sending(openHarness({ config: { bounds: { requestsPerMinute: 12 } } }))
    expect((await send(JSON.stringify(batchOf(10)))).statusCode).toBe(200)
    const refused = await send(JSON.stringify(batchOf(3)))
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'request/too-many'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await send(JSON.stringify(batchOf(10)), '203.0.113.10')).statusCode).toBe(200)
  })
})

/** Returns a wallet that waits for a gate, and a promise of its nth call. */
function gatedWallet(times: number) {
  const events = new EventEmitter()
  const open = once(events, 'open')
  const limits = { maxSpendPerCall: undefined, maxSpendPerDay: undefined }
  let count = 0
  return {
    called: once(events, 'called'),
    open: () => events.emit('open'),
    readWallet: async () => {
      count += 1
      if (count === times) events.emit('called')
      await open
      return { address: addressOf(agent), balance: wei(1n), spentToday: wei(0n), ...limits }
    },
  }
}

test('the concurrent requests of one client are bounded, and further ones are refused with retry-after', async () => {
  const { readWallet, called, open } = gatedWallet(8)
  const send = sending(openHarness({ readWallet, config: { bounds: { mcpPerClient: 8 } } }))
  const call = { ...message('tools/call', 1), params: { name: 'wallet_info', arguments: {} } }
  const under = Array.from({ length: 8 }, () => send(JSON.stringify(call)))
  await called
  const ping = JSON.stringify(message('ping', 2))
  const refused = await send(ping)
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'request/too-many'])
  expect(refused.json().facts).toMatchObject({ what: 'requests to MCP at once', limit: 8 })
  expect(refused.headers['retry-after']).toBe('1')
  expect((await send(ping, '203.0.113.10')).statusCode).toBe(200)
  open()
  expect((await Promise.all(under)).map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200))
  expect((await send(ping)).statusCode).toBe(200)
})
