import fc from 'fast-check'
import { expect, test } from 'vitest'
import { times } from '../../../../test/tier.ts'
import { openClientHarness } from '../../test/client-harness.ts'
import { interceptingProxy } from '../../test/intercepting-proxy.ts'
import { agent, freeTerms, listToken, memory, other, stranger } from '../../test/server-harness.ts'
import type { Client } from './client.ts'
import { isHeirloomError } from './heirloom-error.ts'

const price = 7n
const offers = { price, rentalPricePerDay: price, forkPrice: price, forkRoyaltyBps: 500 }

/** Every write, on a token with all offers. */
const writes: { readonly [name in string]: (client: Client, tokenId: string) => Promise<object> } =
  {
    snapshot: (client, tokenId) => client.snapshot({ ...memory, parentTokenId: tokenId }),
    list: (client, tokenId) => client.list({ ...offers, tokenId, price: 9n }),
    buy: (client, tokenId) => client.buy(tokenId),
    rent: (client, tokenId) => client.rent(tokenId, { durationDays: 2 }),
    fork: (client, tokenId) => client.fork(tokenId),
    royalty: (client, tokenId) => client.royalty(tokenId, { amount: 3n }),
  }

const terms = Object.fromEntries(
  Object.entries(offers).map(([name, it]) => [name, typeof it === 'bigint' ? String(it) : it]),
)

test.each(Object.keys(writes))(
  '%s: is retried after lost responses, and happens once',
  async (name) => {
    const write = writes[name] as (typeof writes)[string]
    const [calm, rough] = [await openClientHarness(), await openClientHarness()]
    const tokenId = await listToken(calm, terms)
    await listToken(rough, terms)
    await write(calm.client, tokenId)
    await using network = await interceptingProxy(rough.url)
    let lost = 0
    network.intercept(async ({ method }, forward) => {
      const reply = await forward()
      if (method !== 'POST') return reply
      lost += 1
      return lost < 3 ? undefined : reply
    })
    const answer = await write(rough.clientAt({ url: network.url }), tokenId)
    expect(answer).toHaveProperty('txHash')
    const sent = network.requests.filter(({ method }) => method === 'POST')
    const keys = sent.map(({ headers }) => headers['idempotency-key'])
    expect([keys.length, new Set(keys).size]).toEqual([3, 1])
    expect(keys[0]).toMatch(/^"[0-9a-f]{32}"$/)
    expect((await rough.state()).balances).toEqual((await calm.state()).balances)
    expect((await rough.state()).tokens.length).toBe((await calm.state()).tokens.length)
  },
)

test('an idempotency key may have any visible characters', async () => {
  const { client, state } = await openClientHarness()
  const key = fc.string({
    unit: fc.integer({ min: 33, max: 126 }).map((it) => String.fromCharCode(it)),
    minLength: 1,
    maxLength: 40,
  })
  let made = (await state()).tokens.length
  const used = new Set<string>()
  await fc.assert(
    fc.asyncProperty(key, async (idempotencyKey) => {
      const first = await client.snapshot(memory, { idempotencyKey })
      expect(await client.snapshot(memory, { idempotencyKey })).toEqual(first)
      if (!used.has(idempotencyKey)) made += 1
      used.add(idempotencyKey)
      expect((await state()).tokens.length).toBe(made)
    }),
    { numRuns: times(8, 30) },
  )
})

test('two writes without a key are two, with equal input', async () => {
  const { client } = await openClientHarness()
  const [one, another] = [await client.snapshot(memory), await client.snapshot(memory)]
  expect(one.tokenId).not.toBe(another.tokenId)
})

test('the account is the recipient, unless another is given', async () => {
  const world = await openClientHarness({ account: other })
  const { client, clientAt } = world
  const [mine, theirs] = [await listToken(world, terms), await listToken(world, terms)]
  const { tokenId: child } = await client.fork(mine)
  await client.rent(theirs, { durationDays: 1 })
  await client.buy(mine)
  for (const id of [child, theirs, mine]) {
    await expect(client.download(id)).resolves.toMatchObject(memory)
  }
  const third = clientAt({ account: stranger })
  await client.rent(theirs, { durationDays: 1, recipient: stranger.address })
  await expect(third.download(theirs)).resolves.toMatchObject(memory)
  // Without an account the agent wallet is the recipient.
  await clientAt({ account: undefined }).buy(theirs)
  expect((await client.memories({ owner: agent.address })).items.map((it) => it.tokenId)).toContain(
    theirs,
  )
})

test('nothing is bought above the highest price', async () => {
  const world = await openClientHarness()
  const id = await listToken(world, terms)
  const before = await world.state()
  const { client } = world
  for (const acquire of [
    () => client.buy(id, { maxPrice: price - 1n }),
    () => client.fork(id, { maxPrice: `${price - 1n}` }),
    () => client.rent(id, { durationDays: 2, maxPrice: 2n * price - 1n }),
  ]) {
    await expect(acquire()).rejects.toMatchObject({ code: 'listing/over-max-price', status: 409 })
  }
  expect(await world.state()).toEqual(before)
})

const badIds = [-1, 0.5, 2 ** 53, Number.NaN, -1n, '', '01', '1/../2', '..', '1e3', '9'.repeat(79)]

test('an invalid token id fails before a request is sent', async () => {
  const { client } = await openClientHarness()
  const isRefused = (error: object) =>
    isHeirloomError(error, 'value/invalid') && !('status' in error)
  const { info, listing, lineage, buy, download } = client
  for (const id of badIds) {
    for (const call of [info, listing, lineage, buy, download]) {
      await expect(call(id), `${id}`).rejects.toSatisfy(isRefused)
    }
    await expect(client.list({ ...freeTerms, tokenId: id })).rejects.toSatisfy(isRefused)
    await expect(client.events({ tokenId: id }).next()).rejects.toSatisfy(isRefused)
  }
})

test('the API key is sent to the server', async () => {
  const apiKeys = ['the-first-of-the-keys']
  const { client, clientAt } = await openClientHarness({}, { config: { apiKeys } })
  await expect(client.snapshot(memory)).rejects.toMatchObject({ code: 'request/not-authorized' })
  const keyed = clientAt({ apiKey: apiKeys[0] })
  await expect(keyed.snapshot(memory)).resolves.toMatchObject({ tokenId: '1' })
  await expect(keyed.wallet()).resolves.toMatchObject({ address: agent.address })
})
