import { Failure, wei } from '@heirloom/core'
import { arbitraryWei } from '@heirloom/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf, agent, openHarness } from '../../../test/server-harness.ts'

const address = addressOf(agent)
const wallet = { address, balance: wei(1n), spentToday: wei(0n) }
const unlimited = { maxSpendPerCall: undefined, maxSpendPerDay: undefined }

test('returns the balance, the spending and the limits of the wallet', async () => {
  const { server } = openHarness()
  const reply = await server.inject('/api/wallet')
  expect([reply.statusCode, reply.json()]).toEqual([
    200,
    {
      address: agent.address,
      balance: '10000000000000000000000',
      spentToday: '0',
      maxSpendPerCall: '1000000000000000000',
      maxSpendPerDay: null,
    },
  ])
  expect(reply.headers['cache-control']).toBe('no-store')
})

test('encodes every amount as a decimal string, and no limit as null', async () => {
  const limit = fc.option(arbitraryWei, { nil: undefined })
  const state = fc.record({
    address: fc.constant(address),
    balance: arbitraryWei,
    spentToday: arbitraryWei,
    maxSpendPerCall: limit,
    maxSpendPerDay: limit,
  })
  let now = { ...wallet, ...unlimited } as Awaited<ReturnType<ReadState>>
  const { server } = openHarness({ readWallet: async () => now })
  await fc.assert(
    fc.asyncProperty(state, async (it) => {
      now = it
      const expected = Object.entries(it).map(([name, value]) => [name, value?.toString() ?? null])
      expect((await server.inject('/api/wallet')).json()).toEqual(Object.fromEntries(expected))
    }),
  )
})

type ReadState = NonNullable<NonNullable<Parameters<typeof openHarness>[0]>['readWallet']>

test('requires an API key where the server has any, although it only reads', async () => {
  const apiKeys = ['the-first-of-the-keys']
  const { server } = openHarness({ config: { apiKeys } })
  const get = (headers: Record<string, string>) => server.inject({ url: '/api/wallet', headers })
  const refused = await get({})
  expect([refused.statusCode, refused.json().code]).toEqual([401, 'request/not-authorized'])
  expect(refused.headers['content-type']).toBe('application/problem+json')
  expect((await get({ authorization: 'Bearer another-of-the-keys' })).statusCode).toBe(401)
  expect((await get({ authorization: `Bearer ${apiKeys[0]}` })).statusCode).toBe(200)
})

test('replies 503 while the chain does not answer', async () => {
  const down = new Failure('ledger/unavailable', { operation: 'eth_getBalance' })
  const { server } = openHarness({ readWallet: () => Promise.reject(down) })
  const reply = await server.inject('/api/wallet')
  expect(reply.headers['content-type']).toBe('application/problem+json')
  expect(reply.json()).toMatchObject({ status: 503, code: 'ledger/unavailable', retryable: true })
})
