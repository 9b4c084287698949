import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { times } from '../../../../test/tier.ts'
import { actsOn, everyOffer, marketEvents } from './acts.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'
import { refusalOf } from './refusal.ts'

const [owner, renter, neighbour, payer] = [party(1), party(2), party(3), party(4)]
const { rentPerDay, price } = everyOffer
const day = 86_400n

let harness: ContractHarness
let acts: ReturnType<typeof actsOn>

beforeAll(async () => {
  harness = await openContractHarness()
  acts = actsOn(harness)
})

async function offered(): Promise<bigint> {
  const tokenId = await acts.mint(owner)
  await acts.list(owner, tokenId)
  return tokenId
}

const now = async () => (await harness.client.getBlock()).timestamp
const expiryOf = (tokenId: bigint, { address }: typeof renter) =>
  harness.marketplace.read.rentalExpiry([tokenId, address])

test('a rental pays the owner and emits an event', async () => {
  const { client, marketplace, mined } = harness
  const tokenId = await offered()
  const before = await client.getBalance(owner)
  const payment = { account: payer, value: rentPerDay * 7n }
  const receipt = await mined(marketplace.write.rent([tokenId, renter.address, 7n], payment))
  const expiresAt = (await now()) + 7n * day
  expect(await expiryOf(tokenId, renter)).toBe(expiresAt)
  expect(await expiryOf(tokenId, payer)).toBe(0n)
  expect((await client.getBalance(owner)) - before).toBe(70n)
  const parties = { owner: owner.address, renter: renter.address, payer: payer.address }
  expect(marketEvents(receipt, 'Rented')).toEqual([{ tokenId, ...parties, expiresAt, paid: 70n }])
})

test('rentals of one token are independent, and the owner may rent, too', async () => {
  const tokenId = await offered()
  await acts.rent(renter, tokenId, 5n)
  const first = await expiryOf(tokenId, renter)
  await acts.rent(neighbour, tokenId, 300n)
  await acts.rent(owner, tokenId, 1n)
  expect(await expiryOf(tokenId, renter)).toBe(first)
  expect(await expiryOf(tokenId, neighbour)).toBeGreaterThan(first)
  expect(await expiryOf(tokenId, owner)).toBeLessThan(first)
})

test('a rental survives the sale and the new owner cannot revoke it', async () => {
  const tokenId = await offered()
  await acts.rent(renter, tokenId, 30n)
  const before = await expiryOf(tokenId, renter)
  await acts.buy(neighbour, tokenId)
  await acts.list(neighbour, tokenId, {})
  expect(await expiryOf(tokenId, renter)).toBe(before)
  expect((await harness.marketplace.read.accessOf([tokenId, renter.address]))[2]).toBe(before)
})

test('a rental can cost the highest price for the longest time', async () => {
  const tokenId = await acts.mint(owner)
  const highest = 2n ** 80n - 1n
  await acts.list(owner, tokenId, { rentPerDay: highest })
  await acts.rent(renter, tokenId, 365n)
  expect(await expiryOf(tokenId, renter)).toBe((await now()) + 365n * day)
})

// A full year, then a day too much, then that day at the first second at which it fits.
const untilTheLimit = [
  { days: 364n, pause: 0n },
  { days: 1n, pause: 0n },
  { days: 1n, pause: 0n },
  { days: 1n, pause: day - 1n },
  { days: 1n, pause: 1n },
]

type Step = { readonly days: bigint; readonly pause: bigint }

/** Rents after a pause, or checks the refusal; returns the expected end of the rental. */
async function extend(tokenId: bigint, expiry: bigint, { days, pause }: Step): Promise<bigint> {
  const time = (await now()) + pause
  await harness.mineAt(time)
  const end = (expiry > time ? expiry : time) + days * day
  const limit = time + 365n * day
  if (end > limit) {
    const payment = { account: renter, value: rentPerDay * days }
    const attempt = harness.marketplace.simulate.rent([tokenId, renter.address, days], payment)
    expect(await refusalOf(attempt)).toEqual({
      name: 'RentalTooLong',
      facts: [tokenId, end, limit],
    })
    return expiry
  }
  await harness.dateNextBlock(time)
  await acts.rent(renter, tokenId, days)
  return end
}

test('rentals of any lengths at any times extend from their end, never past a year', async () => {
  const anyStep = fc.record({
    days: fc.bigInt(1n, 365n),
    pause: fc.oneof(fc.constantFrom(0n, 1n, day), fc.bigInt(0n, 400n * day)),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 6 }), async (steps) => {
      const tokenId = await offered()
      let expiry = 0n
      for (const step of steps) {
        expiry = await extend(tokenId, expiry, step)
        expect(await expiryOf(tokenId, renter)).toBe(expiry)
      }
    }),
    { numRuns: times(7, 25), examples: [[untilTheLimit]] },
  )
})

describe('a rental is refused', () => {
  test('for no day, for more than 365 days, and for a number that overflows', async () => {
    const tokenId = await offered()
    for (const days of [0n, 366n, 2n ** 256n - 1n]) {
      const attempt = harness.marketplace.simulate.rent([tokenId, renter.address, days], {
        account: renter,
      })
      expect(await refusalOf(attempt)).toEqual({
        name: 'RentalDurationInvalid',
        facts: [days, 365n],
      })
    }
  })

  test('when the token is not for rent', async () => {
    const tokenId = await acts.mint(owner)
    await acts.list(owner, tokenId, { price })
    const attempt = harness.marketplace.simulate.rent([tokenId, renter.address, 1n], {
      account: renter,
    })
    expect(await refusalOf(attempt)).toEqual({ name: 'ListingNotForRent', facts: [tokenId] })
  })

  test('when the payment is not the price of all its days', async () => {
    const tokenId = await offered()
    for (const value of [0n, rentPerDay, 69n, 71n]) {
      const attempt = harness.marketplace.simulate.rent([tokenId, renter.address, 7n], {
        account: renter,
        value,
      })
      expect(await refusalOf(attempt)).toEqual({
        name: 'ListingPriceChanged',
        facts: [tokenId, 70n, value],
      })
    }
  })
})
