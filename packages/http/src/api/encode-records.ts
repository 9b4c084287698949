import {
  type Account,
  type DepositedGrant,
  type Dollars,
  digest,
  dollars,
  earliestTakeover,
  type Grant,
  type HeirPlan,
  heirStateOf,
  type Instant,
  type Listing,
  type LiveTerms,
  silentAt,
  tokenId,
  toSeconds,
} from '@heirloom/core'
import type { Static } from '@sinclair/typebox'
import { readAddress } from './address.ts'
import { mapPrices, type Prices } from './prices.ts'
import type { GrantRecord } from './schemas/grant-schemas.ts'
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

/** Returns a grant as the API shows it. */
export const encodeGrant = (grant: Grant): Static<typeof GrantRecord> => ({
  ...grant,
  holders: [...grant.holders],
  tokenId: `${grant.tokenId}`,
  transferCount: `${grant.transferCount}`,
})

/** Returns a deposited grant as the API shows it to its owner. */
export const encodeDeposited = ({ id, label, grant }: DepositedGrant) => ({
  id,
  label,
  grant: encodeGrant(grant),
})

/**
 * Reads a grant.
 *
 * @throws `value/invalid`
 */
export const readGrant = (grant: Static<typeof GrantRecord>): Grant => ({
  ...grant,
  owner: readAddress(grant.owner),
  reader: readAddress(grant.reader),
  tokenId: tokenId(grant.tokenId),
  transferCount: tokenId(grant.transferCount),
  digest: digest(grant.digest),
})
