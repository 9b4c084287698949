import assert from 'node:assert/strict'
import {
  dollars,
  forkRoyaltyOfShares,
  highestPrice,
  nobody,
  type Terms,
  wei,
  wholeBps,
} from '@heirloom/core'
import fc from 'fast-check'
import {
  arbitraryPrice,
  arbitraryTerms,
  arbitraryUnlistablePrice,
} from '../../arbitraries/money.ts'
import type { LedgerHarness } from '../../harness.ts'
import { forAll, type Law } from '../law.ts'
import { refuses } from '../refuses.ts'
import {
  accountOf,
  arbitraryCheapPrice,
  arbitraryParty,
  mintBy,
  noTerms,
  partiesFrom,
  refusesWrite,
  requireKnown,
} from './fixture.ts'

const arbitraryNoShare = fc.oneof(
  fc.constantFrom(-1, 0.5, wholeBps + 1, Number.NaN, Number.NEGATIVE_INFINITY),
  fc.integer({ min: wholeBps + 1 }),
)
const handovers = ['to another and back', 'to itself', 'by a sale and back'] as const

/** Returns the royalties that a fork of a root would owe. */
const owedAtRoot = ({ forkRoyaltyBps: royaltyBps }: Terms) =>
  forkRoyaltyOfShares({ shares: [], depth: 0, royaltyBps })

/** The laws of listings. */
export const listingLaws: readonly Law<LedgerHarness>[] = [
  forAll(
    'returns a listing as it was made',
    [arbitraryTerms, arbitraryTerms, arbitraryParty],
    async (harness, first, second, who) => {
      const [author, reader] = partiesFrom(harness, who)
      const tokenId = await mintBy(author)
      for (const terms of [first, second]) {
        await author.ledger.list({ tokenId, ...terms })
        const shown = await requireKnown(reader.ledger.listing(tokenId))
        const seller = accountOf(author)
        assert.deepEqual(shown, { tokenId, seller, ...terms, ...owedAtRoot(terms) })
      }
    },
  ),
  forAll(
    'returns zero prices and the zero address as seller for an unlisted token',
    [arbitraryTerms, arbitraryParty],
    async (harness, terms, first) => {
      const [author, reader] = partiesFrom(harness, first)
      const tokenId = await mintBy(author)
      const unlisted = { tokenId, seller: nobody, ...noTerms, ...owedAtRoot(noTerms) }
      assert.deepEqual(await reader.ledger.listing(tokenId), unlisted)
      await author.ledger.list({ tokenId, ...terms })
      await author.ledger.list({ tokenId, ...noTerms })
      assert.deepEqual(await reader.ledger.listing(tokenId), unlisted)
    },
  ),
  forAll(
    'refuses a listing by anyone but the owner with `listing/not-owner`',
    [arbitraryTerms, arbitraryTerms, arbitraryParty],
    async (harness, mine, theirs, first) => {
      const [author, other] = partiesFrom(harness, first)
      const tokenId = await mintBy(author)
      await author.ledger.list({ tokenId, ...mine })
      await refusesWrite(harness, tokenId, 'listing/not-owner', () =>
        other.ledger.list({ tokenId, ...theirs }),
      )
    },
  ),
  forAll(
    'refuses a price above the limit with `listing/price-too-high`',
    [arbitraryUnlistablePrice, arbitraryPrice],
    async (harness, tooHigh, price) => {
      const [author] = partiesFrom(harness)
      const tokenId = await mintBy(author)
      const terms = { ...noTerms, price }
      await author.ledger.list({ tokenId, ...terms, forkPrice: highestPrice })
      const nothing = {
        price: dollars(0n),
        rentalPricePerDay: dollars(0n),
        forkPrice: dollars(0n),
      }
      for (const way of ['price', 'rentalPricePerDay', 'forkPrice'] as const) {
        for (const offer of [
          { ...terms, [way]: tooHigh },
          { ...noTerms, dollars: { ...nothing, [way]: tooHigh } },
        ]) {
          await refusesWrite(harness, tokenId, 'listing/price-too-high', () =>
            author.ledger.list({ tokenId, ...offer }),
          )
        }
      }
    },
  ),
  forAll(
    'refuses a share that is not 0 to 10000 whole basis points with `royalty/bad-share`',
    [arbitraryNoShare, arbitraryParty],
    async (harness, share, first) => {
      const [author, other] = partiesFrom(harness, first)
      const tokenId = await mintBy(author)
      const forkPrice = wei(1n)
      const recipient = accountOf(other)
      await author.ledger.list({ ...noTerms, tokenId, forkPrice })
      const code = 'royalty/bad-share'
      await refusesWrite(harness, tokenId, code, () =>
        author.ledger.list({ ...noTerms, tokenId, forkRoyaltyBps: share }),
      )
      await refusesWrite(harness, tokenId, code, () =>
        other.ledger.fork({ tokenId, price: forkPrice, maxRoyaltyBps: share, recipient }),
      )
    },
  ),
  forAll(
    'ends a listing for ever when the token is transferred',
    [arbitraryCheapPrice, fc.constantFrom(...handovers)],
    async (harness, price, how) => {
      const [author, other] = partiesFrom(harness)
      const tokenId = await mintBy(author)
      const terms = { price, rentalPricePerDay: price, forkPrice: price, forkRoyaltyBps: 5 }
      const offer = { tokenId, price, recipient: accountOf(other) }
      await author.ledger.list({ tokenId, ...terms })
      if (how === 'by a sale and back') await other.ledger.buy(offer)
      else await author.transfer(tokenId, accountOf(how === 'to itself' ? author : other))
      const unlisted = { tokenId, seller: nobody, ...noTerms, ...owedAtRoot(noTerms) }
      assert.deepEqual(await author.ledger.listing(tokenId), unlisted)
      if (how !== 'to itself') await other.transfer(tokenId, accountOf(author))
      assert.deepEqual(await author.ledger.listing(tokenId), unlisted)
      await refuses('listing/not-for-sale', other.ledger.buy(offer))
    },
  ),
]
