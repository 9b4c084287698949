import {
  type Account,
  type Dollars,
  dollars,
  earliestTakeover,
  type HeirPlan,
  heirStateOf,
  type Instant,
  type Listing,
  type LiveTerms,
  silentAt,
  toSeconds,
} from '@heirloom/core'
import type { Static } from '@sinclair/typebox'
import { mapPrices, type Prices } from './prices.ts'
import type { DollarTerms, ListingRecord } from './schemas/market-schemas.ts'
import type { ReadonlyStatic } from './schemas/schema-parts.ts'
import type { HeirRecord } from './schemas/wallet-schemas.ts'

/**
 * Parses prices in dollars.
 *
 * @throws `value/invalid`
 */
export const readDollars = (
  prices: Static<typeof DollarTerms> | undefined,
): Prices<Dollars> | undefined => prices && mapPrices(prices, (it) => dollars(it))

/** Encodes the terms of a token as the API does; no `dollars` at all for prices in wei. */
export function encodeListing(
  terms: LiveTerms & Omit<Listing, 'tokenId' | keyof LiveTerms>,
): Static<typeof ListingRecord> {
  const { seller, forkRoyaltyBps, effectiveRoyaltyBps, totalRoyaltyBps, canBeForked } = terms
  return {
    seller,
    ...mapPrices(terms, String),
    forkRoyaltyBps,
    isForSale: terms.price > 0n,
    isForRent: terms.rentalPricePerDay > 0n,
    isForFork: terms.forkPrice > 0n,
    effectiveRoyaltyBps,
    totalRoyaltyBps,
    canBeForked,
    ...(terms.dollars && {
      dollars: { asset: terms.dollars.asset, ...mapPrices(terms.dollars, String) },
    }),
  }
}

/** The heir of an account in responses, without the accounts that name it. */
type Encoded = Omit<ReadonlyStatic<typeof HeirRecord>, 'heirOf' | 'next'>

/** Encodes what an account has arranged, at a time, as the API does. */
export function encodeHeir(account: Account, plan: HeirPlan | undefined, now: Instant): Encoded {
  if (plan === undefined) return { account, state: 'none', ...nothing }
  const { heir, silenceDays, noticeDays, lastSign, announcedAt } = plan
  return {
    account,
    heir,
    state: heirStateOf(plan, now),
    silenceDays,
    noticeDays,
    lastSignAt: seconds(lastSign),
    silentAt: seconds(silentAt(plan)),
    announcedAt: announcedAt === undefined ? null : seconds(announcedAt),
    takeoverAt: seconds(earliestTakeover(plan, now)),
  }
}

const nothing = {
  heir: null,
  silenceDays: null,
  noticeDays: null,
  lastSignAt: null,
  silentAt: null,
  announcedAt: null,
  takeoverAt: null,
}

const seconds = (moment: Instant) => `${toSeconds(moment)}`
