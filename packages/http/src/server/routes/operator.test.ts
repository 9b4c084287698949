import { wei } from '@heirloom/core'
import { expect, test } from 'vitest'
import { addressOf, openHarness, other, stranger } from '../../../test/server-harness.ts'
import { version } from '../../api/version.ts'
import { keyRing } from '../api-keys/key-ring.ts'
import type { OperatorParts } from '../operations/operator.ts'

const operator: OperatorParts = {
  startedAt: 1_767_225_600_000,
  readTenants: async () => [
    {
      name: 'shop',
      address: addressOf(other),
      isActive: true,
      wallet: { balance: wei(7n), spentToday: wei(2n) },
      limits: { perCall: wei(5n), perDay: undefined },
    },
    {
      name: 'old',
      address: addressOf(stranger),
      isActive: false,
      wallet: undefined,
      limits: { perCall: undefined, perDay: undefined },
    },
  ],
  failures: () => [{ at: 9, level: 'warn', message: 'not ready', cause: 'The chain is down.' }],
}

const admin = 'an-admin-key-0123456789abcdef0123'

test('returns tenants and failures, and null for what the chain does not answer', async () => {
  const { server } = openHarness({ operator })
  const reply = await server.inject('/api/operator')
  expect(reply.headers['cache-control']).toBe('no-store')
  expect([reply.statusCode, reply.json()]).toEqual([
    200,
    {
      version: version(),
      commit: null,
      startedAt: '1767225600000',
      tenants: [
        {
          name: 'shop',
          address: addressOf(other),
          isActive: true,
          balance: '7',
          spentToday: '2',
          maxSpendPerCall: '5',
          maxSpendPerDay: null,
        },
        {
          name: 'old',
          address: addressOf(stranger),
          isActive: false,
          balance: null,
          spentToday: null,
          maxSpendPerCall: null,
          maxSpendPerDay: null,
        },
      ],
      failures: [{ at: '9', level: 'warn', message: 'not ready', cause: 'The chain is down.' }],
    },
  ])
})

test('answers an operator alone, where the server has keys', async () => {
  const { server } = openHarness({ operator, keys: keyRing({ plain: [admin] }) })
  const read = async (key?: string) => {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
    return (await server.inject({ url: '/api/operator', headers })).statusCode
  }
  expect([await read(), await read('another-key'), await read(admin)]).toEqual([401, 401, 200])
})
