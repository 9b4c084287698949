import { Failure, heirDayLimits, heirStates, instant, wei } from '@heirloom/core'
import fc from 'fast-check'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { addressOf, agent, openHarness, other, stranger } from '../../../test/server-harness.ts'
import type { ReadHeir } from '../operations/accounts.ts'

const day = 86_400_000
const [account, heir] = [addressOf(agent), addressOf(other)]
const plan = {
  account,
  heir,
  silenceDays: 30,
  noticeDays: 40,
  lastSign: instant(day),
  announcedAt: undefined,
}
const url = `/api/accounts/${account}/heir`

test('returns the heir of an account, and when the heir may act', async () => {
  const { server } = openHarness({ readHeir: async () => ({ plan, now: instant(2 * day) }) })
  const reply = await server.inject(url)
  expect([reply.statusCode, reply.json()]).toEqual([
    200,
    {
      account,
      heir,
      state: 'active',
      silenceDays: 30,
      noticeDays: 40,
      announcedAt: null,
      lastSignAt: '86400',
      silentAt: `${31 * 86_400}`,
      takeoverAt: `${71 * 86_400}`,
      heirOf: [],
      next: null,
    },
  ])
})

test('returns null for all that an account without an heir does not have', async () => {
  const { server } = openHarness({ readHeir: async () => ({ plan: undefined, now: instant(0) }) })
  const { account: of, state, heirOf, next, ...rest } = (await server.inject(url)).json()
  expect([heirOf, next]).toEqual([[], null])
  expect([of, state]).toEqual([account, 'none'])
  expect(Object.values(rest)).toEqual([null, null, null, null, null, null, null])
})

test('returns whose heir an account is, the last to name it first', async () => {
  const harness = openHarness({ readHeir: async () => ({ plan: undefined, now: instant(0) }) })
  const days = { silenceDays: 30, noticeDays: 30 }
  const name = (by: typeof account, of: typeof account) =>
    harness.chain.heirs(by).nameHeir({ heir: of, ...days })
  const third = addressOf(stranger)
  await name(heir, account)
  await name(third, account)
  const heirOf = async () => (await harness.server.inject(url)).json().heirOf
  expect(await heirOf()).toEqual([third, heir])
  await name(third, heir)
  expect(await heirOf()).toEqual([heir])
})

test('returns a time of the takeover that is never before the end of silence and notice', async () => {
  const days = fc.integer({ min: heirDayLimits.least, max: heirDayLimits.most })
  const time = fc.integer({ min: 1, max: 2 ** 32 }).map((seconds) => instant(seconds * 1000))
  let read: Awaited<ReturnType<ReadHeir>>
  const { server } = openHarness({ readHeir: async () => read })
  await fc.assert(
    fc.asyncProperty(days, days, time, time, async (silenceDays, noticeDays, lastSign, now) => {
      read = { plan: { ...plan, silenceDays, noticeDays, lastSign }, now }
      const { silentAt, takeoverAt, state } = (await server.inject(url)).json()
      expect(Number(silentAt)).toBe(lastSign / 1000 + silenceDays * 86_400)
      expect(Number(takeoverAt)).toBeGreaterThanOrEqual(Number(silentAt) + noticeDays * 86_400)
      expect(heirStates).toContain(state)
    }),
  )
})

test('reads the account of the path, in any spelling but a wrong checksum', async () => {
  const requested: string[] = []
  const { server } = openHarness({
    readHeir: async (it) => {
      requested.push(it)
      return { plan: undefined, now: instant(0) }
    },
  })
  const of = (address: string) => server.inject(`/api/accounts/${address}/heir`)
  const { address } = stranger
  expect((await of(address.toLowerCase())).statusCode).toBe(200)
  expect(requested).toEqual([address])
  const mistyped = `0x${address.slice(2).replace(/[a-f]/i, (it) => (it === it.toLowerCase() ? it.toUpperCase() : it.toLowerCase()))}`
  for (const wrong of [mistyped, '0x12', 'ada']) expect((await of(wrong)).statusCode).toBe(400)
})

test('needs no API key, and replies 503 while the chain does not answer', async () => {
  const down = new Failure('ledger/unavailable', { operation: 'heirOf' })
  const config = { apiKeys: ['the-first-of-the-keys'] }
  const { server } = openHarness({ config, readHeir: () => Promise.reject(down) })
  const reply = await server.inject(url)
  expect(reply.json()).toMatchObject({ status: 503, code: 'ledger/unavailable', retryable: true })
})

test('strangers who name an account push nobody out of the list of whose heir it is', async () => {
  const harness = openHarness({ readHeir: async () => ({ plan: undefined, now: instant(0) }) })
  const days = { silenceDays: 30, noticeDays: 30 }
  const name = (by: typeof account) => harness.chain.heirs(by).nameHeir({ heir: account, ...days })
  await name(heir)
  const strangers = Array.from({ length: 130 }, () =>
    addressOf(privateKeyToAccount(generatePrivateKey())),
  )
  for (const by of strangers) {
    harness.chain.fund(by, wei(10n ** 18n))
    await name(by)
  }
  const found: string[] = []
  for (let after = ''; ; ) {
    const reply = await harness.server.inject(`${url}?limit=50${after}`)
    const { heirOf, next } = reply.json()
    found.push(...heirOf)
    if (next === null) break
    after = `&after=${next}`
  }
  expect(found).toEqual([...strangers.toReversed(), heir])
  expect((await harness.server.inject(`${url}?after=nonsense`)).json()).toMatchObject({
    code: 'request/malformed',
  })
})
