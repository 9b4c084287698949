import type { EnsNames } from '@heirloom/adapters/internal/ens'
import { Failure } from '@heirloom/core'
import { expect, test } from 'vitest'
import { addressOf, agent, openHarness, other, stranger } from '../../../test/server-harness.ts'

const [ada, bob, eve] = [addressOf(agent), addressOf(other), addressOf(stranger)]

const names: EnsNames = {
  nameOf: async (of) => (of === ada ? 'ada.eth' : undefined),
  find: async (text) =>
    text.toLowerCase() === 'ada.eth' ? { name: 'ada.eth', account: ada } : undefined,
}

test('returns the names of accounts in the order of the request', async () => {
  const { server } = openHarness({ ens: names })
  const reply = await server.inject(`/api/ens/names?accounts=${bob},${ada.toLowerCase()}`)
  expect([reply.statusCode, reply.json()]).toEqual([
    200,
    {
      items: [
        { account: bob, name: null },
        { account: ada, name: 'ada.eth' },
      ],
    },
  ])
})

test('returns the account that a name leads to, and null for none', async () => {
  const { server } = openHarness({ ens: names })
  const find = async (name: string) => (await server.inject(`/api/ens/accounts/${name}`)).json()
  expect(await find('ADA.eth')).toEqual({ name: 'ada.eth', account: ada })
  expect(await find('nobody.eth')).toEqual({ name: 'nobody.eth', account: null })
})

test.each([
  ['without accounts', ''],
  ['of an empty list', 'accounts='],
  ['of a short address', `accounts=${ada}`.slice(0, -1)],
  ['of 21 accounts', `accounts=${Array(21).fill(ada)}`],
])('refuses a query %s', async (_, query) => {
  const { server } = openHarness({ ens: names })
  const reply = await server.inject(`/api/ens/names?${query}`)
  expect([reply.statusCode, reply.json().code]).toEqual([400, 'request/malformed'])
})

test('asks for 40 accounts of one client at a time', async () => {
  const { promise: end, resolve } = Promise.withResolvers<undefined>()
  const { server } = openHarness({ ens: { ...names, nameOf: () => end } })
  const many = `/api/ens/names?accounts=${Array(20).fill(eve)}`
  const first = Promise.all([server.inject(many), server.inject(many)])
  const third = await server.inject(many)
  expect([third.statusCode, third.json().code]).toEqual([429, 'request/too-many'])
  resolve(undefined)
  expect((await first).map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect((await server.inject(many)).statusCode).toBe(200)
})

test('says that the chain did not answer', async () => {
  const nameOf = () => Promise.reject(new Failure('ledger/unavailable', { operation: 'eth_call' }))
  const { server } = openHarness({ ens: { ...names, nameOf } })
  const reply = await server.inject(`/api/ens/names?accounts=${ada}`)
  expect([reply.statusCode, reply.json().code]).toEqual([503, 'ledger/unavailable'])
})

test('has no names where the chain has no ENS', async () => {
  const { server } = openHarness()
  expect((await server.inject(`/api/ens/names?accounts=${ada}`)).statusCode).toBe(404)
  expect((await server.inject('/api/deployment')).json().hasEns).toBe(false)
  const { server: named } = openHarness({ ens: names })
  expect((await named.inject('/api/deployment')).json().hasEns).toBe(true)
})
