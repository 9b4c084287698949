import { isFailure } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { memory, openHarness, post } from '../../../test/server-harness.ts'
import { wrongKeys } from './authorize.ts'

/** Returns the seconds that a client must wait after a wrong key; 0 if it is refused without a wait. */
function waitOf(refuse: (network: string) => never, network = 'a'): number {
  try {
    return refuse(network)
  } catch (error) {
    if (isFailure(error, 'request/too-many')) return error.facts.retryAfterSeconds
    expect(isFailure(error, 'request/not-authorized')).toBe(true)
    return 0
  }
}

describe('wrong API keys', () => {
  test('of a network wait longer and longer after the first few, and are forgotten after a while', () => {
    let now = 0
    const refuse = wrongKeys({ free: 3, longest: 60, forgetAfter: 1000, now: () => now })
    const waits = Array.from({ length: 12 }, () => waitOf(refuse))
    expect(waits).toEqual([0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60])
    expect(waitOf(refuse, 'b')).toBe(0)
    now += 1001
    expect(waitOf(refuse)).toBe(0)
  })

  test('of many networks take bounded memory, and the oldest is forgotten first', () => {
    const refuse = wrongKeys({ free: 1, most: 10, now: () => 0 })
    for (let network = 0; network < 10; network++) waitOf(refuse, `${network}`)
    expect(waitOf(refuse, '0')).toBe(1)
    for (let network = 10; network < 19; network++) waitOf(refuse, `${network}`)
    expect(waitOf(refuse, '0')).toBe(2)
    expect(waitOf(refuse, '1')).toBe(0)
  })

  test('two thousand in a row are answered 429 but for the first few; right ones pass', async () => {
    const right = 'the-first-of-the-keys'
    const harness = openHarness({ config: { apiKeys: [right] } })
    const send = (key: string) =>
      post(harness, '/api/memory/snapshot', memory, { authorization: `Bearer ${key}` })
    const statuses = new Map<number, number>()
    for (let guess = 0; guess < 2000; guess++) {
      const { statusCode } = await send(`a-guess-at-the-key-${guess}`)
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    }
    expect(Object.fromEntries(statuses)).toEqual({ 401: 10, 429: 1990 })
    const slowed = await send('one-more-guess-at-it')
    expect([slowed.json().code, slowed.headers['retry-after']]).toEqual(['request/too-many', '60'])
    expect((await send(right)).statusCode).toBe(201)
    // A request without a key does not count as a wrong key.
    expect((await post(harness, '/api/memory/snapshot', memory)).statusCode).toBe(401)
  })
})
