import assert from 'node:assert/strict'
import { day, type Instant, longestRental, type TokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import type { LedgerWorld, Party } from '../../harness.ts'
import type { Law } from '../law.ts'
import {
  accountOf,
  arbitraryCheapPrice,
  arbitraryParty,
  assertMoved,
  balancesOf,
  castOf,
  drift,
  known,
  mintBy,
  noTerms,
  refusesWrite,
} from './fixture.ts'

const arbitraryDays = fc.integer({ min: 1, max: longestRental })
const arbitraryNoDuration = fc.oneof(
  fc.constantFrom(-1, 0, 0.5, 1.5, longestRental + 1, Number.NaN, Number.POSITIVE_INFINITY),
  fc.integer({ min: longestRental + 1 }),
)
/** Leaves room for a renewal of at least a day. */
const arbitraryShortStay = fc.integer({ min: 1, max: longestRental - 1 })
const rentalPricePerDay = wei(3n)

/** What every ledger keeps when it rents. */
export const rentalLaws: readonly Law<LedgerWorld>[] = [
  {
    name: 'rents to the recipient for the days paid',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(
          arbitraryCheapPrice,
          arbitraryDays,
          arbitraryParty,
          async (perDay, days, first) => {
            const [owner, payer, guest] = castOf(world, first)
            const tokenId = await mintBy(owner)
            await owner.ledger.list({ ...noTerms, tokenId, rentalPricePerDay: perDay })
            const price = wei(perDay * BigInt(days))
            const recipient = accountOf(guest)
            const before = await balancesOf(world)
            const start = world.now()
            const { expiresAt } = await payer.ledger.rent({ tokenId, days, price, recipient })
            assert.ok(Math.abs(expiresAt - start - days * day) <= drift, `it lasts ${days} days`)
            assert.equal(await expiryOf(guest, tokenId), expiresAt)
            assert.equal(await expiryOf(payer, tokenId), undefined)
            const changes = [[owner, price] as const, [payer, -price] as const]
            await assertMoved(world, before, new Map(changes))
          },
        ),
      ),
  },
  {
    name: 'renews from the end of the running rental',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryShortStay, fc.nat({ max: 23 }), async (days, hours) => {
          const [owner, guest] = castOf(world)
          const tokenId = await rentable(owner)
          const first = await rent(guest, tokenId, days)
          await world.wait(hours * 3_600_000)
          const second = await rent(guest, tokenId, longestRental - days)
          assert.equal(second, first + (longestRental - days) * day)
          assert.equal(await expiryOf(guest, tokenId), second)
          await world.wait(second - world.now() + 2 * drift)
          const restart = world.now()
          const third = await rent(guest, tokenId, days)
          assert.ok(Math.abs(third - restart - days * day) <= drift, 'an ended one starts now')
        }),
      ),
  },
  {
    name: 'refuses a rental beyond 365 days ahead with `rental/too-long`',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryDays, arbitraryParty, async (days, first) => {
          const [owner, guest] = castOf(world, first)
          const tokenId = await rentable(owner)
          await rent(guest, tokenId, days)
          await refusesWrite(world, tokenId, 'rental/too-long', () =>
            rent(guest, tokenId, longestRental + 1 - days),
          )
        }),
      ),
  },
  {
    name: 'refuses a rental of any but 1 to 365 whole days with `rental/bad-duration`',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryNoDuration, arbitraryParty, async (days, first) => {
          const [owner, guest] = castOf(world, first)
          const tokenId = await rentable(owner)
          const price = wei(rentalPricePerDay)
          const recipient = accountOf(guest)
          await refusesWrite(world, tokenId, 'rental/bad-duration', () =>
            guest.ledger.rent({ tokenId, days, price, recipient }),
          )
        }),
      ),
  },
  {
    name: 'refuses a rental of what is not for rent with `listing/not-for-rent`',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryCheapPrice, arbitraryDays, async (price, days) => {
          const [owner, guest] = castOf(world)
          const tokenId = await mintBy(owner)
          const code = 'listing/not-for-rent'
          await refusesWrite(world, tokenId, code, () => rent(guest, tokenId, days))
          await owner.ledger.list({ ...noTerms, tokenId, price, forkPrice: price })
          await refusesWrite(world, tokenId, code, () => rent(guest, tokenId, days))
        }),
      ),
  },
  {
    name: 'keeps rentals when the token is sold',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryCheapPrice, arbitraryDays, async (price, days) => {
          const [owner, guest, buyer] = castOf(world)
          const tokenId = await mintBy(owner)
          await owner.ledger.list({ ...noTerms, tokenId, price, rentalPricePerDay })
          const expiresAt = await rent(guest, tokenId, days)
          await buyer.ledger.buy({ tokenId, price, recipient: accountOf(buyer) })
          assert.equal(await expiryOf(guest, tokenId), expiresAt)
          await buyer.transfer(tokenId, accountOf(owner))
          assert.equal(await expiryOf(guest, tokenId), expiresAt)
        }),
      ),
  },
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
  return (await known(ledger.access(tokenId, ledger.agent))).expiresAt
}
