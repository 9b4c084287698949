import { isFailure } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openHarness } from '../../../test/server-harness.ts'
import { requestRate } from './bound-clients.ts'

/** Returns the seconds that a client must wait; 0 if its request is accepted. */
function waitOf(count: (client: string) => void, client: string): number {
  try {
    count(client)
    return 0
  } catch (error) {
    if (isFailure(error, 'request/too-many')) return error.facts.retryAfterSeconds
    throw error
  }
}

/** Sends a request after each pause, waits as long as required, and returns when each was accepted. */
function sendWithPauses(perMinute: number, pauses: readonly number[]): readonly number[] {
  let now = 0
  const count = requestRate({ perMinute, now: () => now })
  const accepted: number[] = []
  for (const pause of pauses) {
    now += pause
    const wait = waitOf(count, 'a')
    now += wait * 1000
    if (wait > 0) expect(waitOf(count, 'a')).toBe(0)
    accepted.push(now)
  }
  return accepted
}

describe('the rate of requests', () => {
  test('of a client is never exceeded in any minute, and recovers after the wait', () => {
    const rate = fc.integer({ min: 1, max: 50 })
    const pauses = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(rate, pauses, (perMinute, waits) => {
        const accepted = sendWithPauses(perMinute, waits)
        for (const from of accepted) {
          const inMinute = accepted.filter((at) => at >= from && at < from + 60_000)
          // A full bucket, and the refill of a minute.
          expect(inMinute.length).toBeLessThanOrEqual(2 * perMinute)
        }
      }),
    )
  })

  test('is counted for each client, in bounded memory', () => {
    const count = requestRate({ perMinute: 1, now: () => 0, maxClients: 100 })
    for (let client = 0; client < 100; client++) expect(waitOf(count, `${client}`)).toBe(0)
    expect(waitOf(count, '0')).toBe(60)
    expect(waitOf(count, 'one more')).toBe(0)
    expect(waitOf(count, '0')).toBe(0)
  })

  test('is refused with 429 and retry-after beyond the limit, which only one network shares', async () => {
    const { server } = openHarness({ config: { bounds: { requestsPerMinute: 2 } } })
    const send = (remoteAddress: string) => server.inject({ url: '/livez', remoteAddress })
    for (const address of ['2001:db8::1', '2001:db8::2']) {
      expect((await send(address)).statusCode).toBe(200)
    }
    const refusal = await send('2001:db8::3')
    expect([refusal.statusCode, refusal.json().code]).toEqual([429, 'request/too-many'])
    expect(refusal.headers['retry-after']).toBe('30')
    expect(refusal.headers['content-type']).toBe('application/problem+json')
    expect((await send('2001:db8:0:1::1')).statusCode).toBe(200)
    expect((await send('203.0.113.9')).statusCode).toBe(200)
  })

  test('counts the requests of an MCP client for that client', async () => {
    const { server } = openHarness({ config: { bounds: { requestsPerMinute: 3 } } })
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
    const params = { name: 'server_info', arguments: {} }
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-heirloom-asker': '203.0.113.1',
    }
    const send = (remoteAddress: string) =>
      server.inject({
        method: 'POST',
        url: '/mcp',
        remoteAddress,
        headers,
        payload: JSON.stringify({ ...call, params }),
      })
    const left = async (remoteAddress: string) => {
      let count = 0
      while ((await server.inject({ url: '/livez', remoteAddress })).statusCode === 200) count += 1
      return count
    }
    await send('203.0.113.9')
    expect(await left('203.0.113.9')).toBeLessThan(3)
    expect(await left('203.0.113.1')).toBe(3)
    expect(await left('127.0.0.1')).toBe(3)
  })

  test('trusts X-Forwarded-For only of the configured proxies', async () => {
    const bounds = { requestsPerMinute: 1 }
    const from = (trustProxy: readonly string[] | number | undefined) => {
      const { server } = openHarness({ config: { bounds: { ...bounds, trustProxy } } })
      return async (remoteAddress: string, forwarded: string) => {
        const headers = { 'x-forwarded-for': forwarded }
        return (await server.inject({ url: '/livez', remoteAddress, headers })).statusCode
      }
    }
    const bare = from(undefined)
    expect([await bare('10.0.0.1', '1.1.1.1'), await bare('10.0.0.1', '2.2.2.2')]).toEqual([
      200, 429,
    ])
    const named = from(['10.0.0.0/8'])
    expect([await named('10.0.0.1', '1.1.1.1'), await named('10.0.0.1', '2.2.2.2')]).toEqual([
      200, 200,
    ])
    expect([await named('9.9.9.9', '1.1.1.1'), await named('9.9.9.9', '3.3.3.3')]).toEqual([
      200, 429,
    ])
    const one = from(1)
    // An address that the client itself put before that of the proxy is not trusted.
    expect([
      await one('10.0.0.1', '7.7.7.7, 1.1.1.1'),
      await one('10.0.0.1', '8.8.8.8, 1.1.1.1'),
    ]).toEqual([200, 429])
  })
})
