import { highestPrice, type Ledger, wei } from '@heirloom/core'
import { pauperWallet } from '@heirloom/testkit'
import { describe, expect, test } from 'vitest'
import { type Expected, expectRefusal, invalid, malformed } from '../../../test/expect-refusal.ts'
import {
  freeTerms,
  listToken,
  memory,
  mintToken,
  openHarness,
  other,
  post,
} from '../../../test/server-harness.ts'

// A refusal changes nothing, so one server serves nearly all of them.
const harness = openHarness()

describe('a listing', () => {
  test.each<[string, object, Expected]>([
    ['-1 basis points', { forkRoyaltyBps: -1 }, malformed],
    ['10001 basis points', { forkRoyaltyBps: 10_001 }, malformed],
    ['1.5 basis points', { forkRoyaltyBps: 1.5 }, malformed],
    ['"500" basis points', { forkRoyaltyBps: '500' }, malformed],
    ['no basis points', { forkRoyaltyBps: undefined }, malformed],
    ['a price that is a number', { price: 5 }, malformed],
    ['a negative price', { price: '-5' }, malformed],
    ['a price of 2^256', { forkPrice: (2n ** 256n).toString() }, invalid],
    [
      'a price above 80 bits',
      { rentalPricePerDay: (highestPrice + 1n).toString() },
      { status: 400, code: 'listing/price-too-high' },
    ],
  ])('with %s is refused', async (_, terms, expected) => {
    const id = await listToken(harness, { price: '3' })
    const body = { tokenId: id, ...freeTerms, ...terms }
    await expectRefusal(harness, () => post(harness, '/api/marketplace/list', body), expected)
  })

  test('of a token that the agent does not own is refused', async () => {
    const id = await mintToken(harness, { recipient: other.address })
    const body = { ...freeTerms, tokenId: id, price: '1' }
    const send = () => post(harness, '/api/marketplace/list', body)
    const { facts } = await expectRefusal(harness, send, { status: 409, code: 'listing/not-owner' })
    expect(facts).toMatchObject({ tokenId: id, owner: other.address })
  })
})

describe('a rental', () => {
  test.each([0, -1, 366, 1.5, '7', null, undefined])(
    'of %s days is refused',
    async (durationDays) => {
      const id = await listToken(harness, { rentalPricePerDay: '1' })
      await expectRefusal(
        harness,
        () => post(harness, `/api/marketplace/rent/${id}`, { durationDays }),
        malformed,
      )
    },
  )

  test.each([1, 365])('of %i days is taken', async (durationDays) => {
    const id = await listToken(harness, { rentalPricePerDay: '1' })
    const reply = await post(harness, `/api/marketplace/rent/${id}`, { durationDays })
    expect(reply.statusCode).toBe(201)
  })

  test('that would reach more than 365 days ahead is refused', async () => {
    const id = await listToken(harness, { rentalPricePerDay: '1' })
    await post(harness, `/api/marketplace/rent/${id}`, { durationDays: 365 })
    const send = () => post(harness, `/api/marketplace/rent/${id}`, { durationDays: 1 })
    await expectRefusal(harness, send, { status: 409, code: 'rental/too-long' })
  })
})

describe('a royalty', () => {
  test.each<[unknown, Expected]>([
    ['0', { status: 400, code: 'royalty/zero' }],
    ['-1', malformed],
    ['1.5', malformed],
    [1, malformed],
    [undefined, malformed],
    [(2n ** 256n).toString(), invalid],
  ])('of %s wei is refused', async (amount, expected) => {
    const id = await mintToken(harness)
    await expectRefusal(
      harness,
      () => post(harness, `/api/marketplace/royalty/${id}`, { amount }),
      expected,
    )
  })
})

const offered = { price: '70', rentalPricePerDay: '70', forkPrice: '70' }
const acquisitions = [
  ['buy', 'listing/not-for-sale', 'price'],
  ['rent', 'listing/not-for-rent', 'rentalPricePerDay'],
  ['fork', 'listing/not-for-fork', 'forkPrice'],
] as const

describe.each(acquisitions)('to %s', (verb, notOffered, priceName) => {
  const body = verb === 'rent' ? { durationDays: 1 } : {}
  const path = (id: string) => `/api/marketplace/${verb}/${id}`

  test('an unlisted token is refused', async () => {
    const id = await mintToken(harness)
    const send = () => post(harness, path(id), body)
    const problem = await expectRefusal(harness, send, { status: 409, code: notOffered })
    expect(problem).toMatchObject({ facts: { tokenId: id }, retryable: false })
  })

  test('a token that is listed only in the other two ways is refused', async () => {
    const id = await listToken(harness, { ...offered, [priceName]: '0' })
    await expectRefusal(harness, () => post(harness, path(id), body), {
      status: 409,
      code: notOffered,
    })
  })

  test('above the highest price accepted is refused', async () => {
    const id = await listToken(harness, offered)
    const send = () => post(harness, path(id), { ...body, maxPrice: '69' })
    const { facts } = await expectRefusal(harness, send, {
      status: 409,
      code: 'listing/over-max-price',
    })
    expect(facts).toEqual({ tokenId: id, price: '70', maxPrice: '69' })
    expect((await post(harness, path(id), { ...body, maxPrice: '70' })).statusCode).toBe(201)
  })

  test('at a price that changed in between is refused', async () => {
    const stale = (ledger: Ledger): Ledger => ({
      ...ledger,
      listing: async (id) => {
        const now = await ledger.listing(id)
        return now && { ...now, [priceName]: wei(60n) }
      },
    })
    const harness = openHarness({ ledgerThrough: stale })
    const id = await listToken(harness, offered)
    const send = () => post(harness, path(id), body)
    const { facts } = await expectRefusal(harness, send, {
      status: 409,
      code: 'listing/price-changed',
    })
    expect(facts).toEqual({ tokenId: id, price: '70', offered: '60' })
  })

  test('for the zero address is refused', async () => {
    const id = await listToken(harness, offered)
    const send = () => post(harness, path(id), { ...body, recipient: `0x${'0'.repeat(40)}` })
    await expectRefusal(harness, send, { status: 400, code: 'recipient/invalid' })
  })
})

describe('a wallet without funds', () => {
  test.each<[string, object]>([
    ['/api/memory/snapshot', memory],
    ['/api/marketplace/royalty/1', { amount: '1' }],
    ['/api/marketplace/buy/1', {}],
    ['/api/marketplace/rent/1', { durationDays: 1 }],
    ['/api/marketplace/fork/1', {}],
  ])('cannot pay for %s', async (url, body) => {
    const harness = openHarness({ wallet: pauperWallet, ledgerThrough: withOneListing })
    const before = await harness.state()
    const reply = await post(harness, url, body)
    expect([reply.statusCode, reply.json().code]).toEqual([402, 'wallet/short'])
    const { blobs: _, ...after } = await harness.state()
    expect(before).toMatchObject(after)
  })
})

/** Returns a ledger in which token 1 is listed in every way by another wallet. */
function withOneListing(ledger: Ledger): Ledger {
  const one = wei(1n)
  const terms = { price: one, rentalPricePerDay: one, forkPrice: one, forkRoyaltyBps: 0 }
  const royalties = { effectiveRoyaltyBps: 0, totalRoyaltyBps: 0, canBeForked: true }
  return {
    ...ledger,
    listing: async (tokenId) => ({ tokenId, seller: ledger.agent, ...terms, ...royalties }),
    provenance: async () => ({}) as never,
  }
}
