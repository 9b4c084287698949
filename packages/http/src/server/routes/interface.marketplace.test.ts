import { toSeconds } from '@heirloom/core'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  addressOf,
  agent,
  freeTerms,
  listToken,
  mintToken,
  openHarness,
  other,
  post,
  proofOf,
  type ServerHarness,
} from '../../../test/server-harness.ts'

const hex32 = /^0x[0-9a-f]{64}$/
const terms = { price: '700', rentalPricePerDay: '30', forkPrice: '90', forkRoyaltyBps: 500 }

let harness: ServerHarness
beforeEach(() => {
  harness = openHarness()
})

const get = (url: string, headers = {}) => harness.server.inject({ url, headers })
const download = async (id: string, wallet = agent) =>
  get(`/api/memory/${id}`, await proofOf(wallet, id, toSeconds(harness.clock.now())))

/** The fields of a root's listing beside those of the interface. */
const owed = (bps: number) => ({
  effectiveRoyaltyBps: bps,
  totalRoyaltyBps: bps,
  canBeForked: true,
})

describe('marketplace (2.4, 4.4 to 4.9)', () => {
  test('lists, and shows the listing with its flags', async () => {
    const id = await mintToken(harness)
    const reply = await post(harness, '/api/marketplace/list', { tokenId: id, ...terms })
    expect([reply.statusCode, reply.json()]).toEqual([
      201,
      { txHash: expect.stringMatching(hex32) },
    ])
    const shown = await get(`/api/marketplace/listings/${id}`)
    const flags = { isForSale: true, isForRent: true, isForFork: true }
    expect([shown.statusCode, shown.json()]).toEqual([
      200,
      { seller: agent.address, ...terms, ...flags, ...owed(500) },
    ])
  })

  test.each(['price', 'rentalPricePerDay', 'forkPrice'])(
    'derives its flag from %s',
    async (name) => {
      const id = await listToken(harness, { [name]: '1' })
      const { isForSale, isForRent, isForFork } = (
        await get(`/api/marketplace/listings/${id}`)
      ).json()
      expect({ isForSale, isForRent, isForFork }).toEqual({
        isForSale: name === 'price',
        isForRent: name === 'rentalPricePerDay',
        isForFork: name === 'forkPrice',
      })
    },
  )

  test('shows an unlisted token with zero prices and the zero seller', async () => {
    const id = await mintToken(harness)
    const flags = { isForSale: false, isForRent: false, isForFork: false }
    const seller = `0x${'0'.repeat(40)}`
    const shown = (await get(`/api/marketplace/listings/${id}`)).json()
    expect(shown).toEqual({ seller, ...freeTerms, ...flags, ...owed(0) })
  })

  test.each([0, 10_000])('takes a royalty of %i basis points', async (forkRoyaltyBps) => {
    const id = await listToken(harness, { forkPrice: '1', forkRoyaltyBps })
    const shown = (await get(`/api/marketplace/listings/${id}`)).json()
    expect(shown.forkRoyaltyBps).toBe(forkRoyaltyBps)
  })

  test.each([
    ['no body', undefined, {}],
    ['an empty object', {}, {}],
    ['an empty body of type application/json', '', {}],
    ['unknown members', { colour: 'red', maxPrice: '700' }, {}],
  ])('buys with %s', async (_, body, headers) => {
    const id = await listToken(harness, terms)
    const reply = await post(harness, `/api/marketplace/buy/${id}`, body, headers)
    expect(reply.json()).toEqual({ txHash: expect.stringMatching(hex32) })
    expect(reply.statusCode).toBe(201)
    expect((await download(id)).statusCode).toBe(200)
  })

  test('buys for a recipient, who then owns the token', async () => {
    const id = await listToken(harness, terms)
    await post(harness, `/api/marketplace/buy/${id}`, { recipient: other.address })
    expect((await download(id, other)).statusCode).toBe(200)
    expect((await download(id)).json().code).toBe('access/denied')
  })

  test('rents, and returns the end of the rental', async () => {
    const id = await listToken(harness, terms)
    const body = { durationDays: 2, recipient: other.address }
    const reply = await post(harness, `/api/marketplace/rent/${id}`, body)
    const expiresAt = `${toSeconds(harness.clock.now()) + 2 * 86_400}`
    expect([reply.statusCode, reply.json()]).toEqual([
      201,
      { txHash: expect.stringMatching(hex32), expiresAt },
    ])
    expect(harness.chain.balance(addressOf(agent))).toBe(10n ** 22n)
  })

  test.each([undefined, {}, { maxRoyaltyBps: 500 }])('forks with body %j', async (body) => {
    const id = await listToken(harness, terms)
    const reply = await post(harness, `/api/marketplace/fork/${id}`, body)
    expect([reply.statusCode, reply.json()]).toEqual([
      201,
      { txHash: expect.stringMatching(hex32), tokenId: '2' },
    ])
    expect((await get('/api/memory/2/info')).json().parent).toBe(id)
  })

  test('pays a royalty to the creator', async () => {
    const id = await mintToken(harness)
    const reply = await post(harness, `/api/marketplace/royalty/${id}`, { amount: '5' })
    expect([reply.statusCode, reply.json()]).toEqual([
      201,
      { txHash: expect.stringMatching(hex32) },
    ])
  })
})
