import assert from 'node:assert/strict'
import { day, type Instant, maxRentalDays, type TokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import type { LedgerHarness, Party } from '../../harness.ts'
import { forAll, type Law } from '../law.ts'
import {
  accountOf,
  arbitraryCheapPrice,
  arbitraryParty,
  assertMoved,
  balancesOf,
  drift,
  mintBy,
  noTerms,
  partiesFrom,
  refusesWrite,
  requireKnown,
} from './fixture.ts'

const arbitraryDays = fc.integer({ min: 1, max: maxRentalDays })
const arbitraryNoDuration = fc.oneof(
  fc.constantFrom(-1, 0, 0.5, 1.5, maxRentalDays + 1, Number.NaN, Number.POSITIVE_INFINITY),
  fc.integer({ min: maxRentalDays + 1 }),
)
/** A duration that allows a renewal of at least a day. */
const arbitraryRenewableDays = fc.integer({ min: 1, max: maxRentalDays - 1 })
const rentalPricePerDay = wei(3n)

/** The laws of rentals. */
export const rentalLaws: readonly Law<LedgerHarness>[] = [
  forAll(
    'rents to the recipient for the days paid',
    [arbitraryCheapPrice, arbitraryDays, arbitraryParty],
    async (harness, perDay, days, first) => {
      const [owner, payer, guest] = partiesFrom(harness, first)
      const tokenId = await mintBy(owner)
      await owner.ledger.list({ ...noTerms, tokenId, rentalPricePerDay: perDay })
      const price = wei(perDay * BigInt(days))
      const recipient = accountOf(guest)
      const before = await balancesOf(harness)
      const start = harness.now()
      const { expiresAt } = await payer.ledger.rent({ tokenId, days, price, recipient })
      assert.ok(Math.abs(expiresAt - start - days * day) <= drift, `it lasts ${days} days`)
      assert.equal(await expiryOf(guest, tokenId), expiresAt)
      assert.equal(await expiryOf(payer, tokenId), undefined)
      const changes = [[owner, price] as const, [payer, -price] as const]
      await assertMoved(harness, before, new Map(changes))
    },
  ),
  forAll(
    'renews from the end of the running rental',
    [arbitraryRenewableDays, fc.nat({ max: 23 })],
    async (harness, days, hours) => {
      const [owner, guest] = partiesFrom(harness)
      const tokenId = await rentable(owner)
      const first = await rent(guest, tokenId, days)
      await harness.wait(hours * 3_600_000)
      const second = await rent(guest, tokenId, maxRentalDays - days)
      assert.equal(second, first + (maxRentalDays - days) * day)
      assert.equal(await expiryOf(guest, tokenId), second)
      await harness.wait(second - harness.now() + 2 * drift)
      const restart = harness.now()
      const third = await rent(guest, tokenId, days)
      assert.ok(
        Math.abs(third - restart - days * day) <= drift,
        'a rental after the end starts now',
      )
    },
  ),
  forAll(
    'refuses a rental beyond 365 days ahead with `rental/too-long`',
    [arbitraryDays, arbitraryParty],
    async (harness, days, first) => {
      const [owner, guest] = partiesFrom(harness, first)
      const tokenId = await rentable(owner)
      await rent(guest, tokenId, days)
      await refusesWrite(harness, tokenId, 'rental/too-long', () =>
        rent(guest, tokenId, maxRentalDays + 1 - days),
      )
    },
  ),
  forAll(
    'refuses a rental that is not 1 to 365 whole days with `rental/bad-duration`',
    [arbitraryNoDuration, arbitraryParty],
    async (harness, days, first) => {
      const [owner, guest] = partiesFrom(harness, first)
      const tokenId = await rentable(owner)
      const price = wei(rentalPricePerDay)
      const recipient = accountOf(guest)
      await refusesWrite(harness, tokenId, 'rental/bad-duration', () =>
        guest.ledger.rent({ tokenId, days, price, recipient }),
      )
    },
  ),
  forAll(
    'refuses to rent a token that is not for rent with `listing/not-for-rent`',
    [arbitraryCheapPrice, arbitraryDays],
    async (harness, price, days) => {
      const [owner, guest] = partiesFrom(harness)
      const tokenId = await mintBy(owner)
      const code = 'listing/not-for-rent'
      await refusesWrite(harness, tokenId, code, () => rent(guest, tokenId, days))
      await owner.ledger.list({ ...noTerms, tokenId, price, forkPrice: price })
      await refusesWrite(harness, tokenId, code, () => rent(guest, tokenId, days))
    },
  ),
  forAll(
    'keeps rentals when the token is sold',
    [arbitraryCheapPrice, arbitraryDays],
    async (harness, price, days) => {
      const [owner, guest, buyer] = partiesFrom(harness)
      const tokenId = await mintBy(owner)
      await owner.ledger.list({ ...noTerms, tokenId, price, rentalPricePerDay })
      const expiresAt = await rent(guest, tokenId, days)
      await buyer.ledger.buy({ tokenId, price, recipient: accountOf(buyer) })
      assert.equal(await expiryOf(guest, tokenId), expiresAt)
      await buyer.transfer(tokenId, accountOf(owner))
      assert.equal(await expiryOf(guest, tokenId), expiresAt)
    },
  ),
]

async function rentable(owner: Party): Promise<TokenId> {
  const tokenId = await mintBy(owner)
  await owner.ledger.list({ ...noTerms, tokenId, rentalPricePerDay })
  return tokenId
}

async function rent({ ledger }: Party, tokenId: TokenId, days: number): Promise<Instant> {
  const price = wei(rentalPricePerDay * BigInt(days))
  return (await ledger.rent({ tokenId, days, price, recipient: ledger.agent })).expiresAt
}

async function expiryOf({ ledger }: Party, tokenId: TokenId): Promise<Instant | undefined> {
  return (await requireKnown(ledger.access(tokenId, ledger.agent))).expiresAt
}
