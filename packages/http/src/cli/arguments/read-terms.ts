import { type Currency, type DollarPrices, noPrices } from '@heirloom/core'
import { mapPrices } from '../../api/prices.ts'
import type { ListInput } from '../../client/requests.ts'
import { type Call, type Options, withValue } from './command.ts'
import { readBps, readPrices } from './read-amounts.ts'

/** The options that set the prices of a token. */
export const termsOptions = {
  price: withValue('AMOUNT', 'The price to buy it.'),
  rent: withValue('AMOUNT', 'The rent per day.'),
  'fork-price': withValue('AMOUNT', 'The price of a fork.'),
  royalty: withValue(
    'SHARE',
    "Your share of a fork's later prices, as in 5%, or 500bps in basis points.",
  ),
} as const satisfies Options

/** The prices of a command line, all in one currency. */
export type GivenTerms = {
  readonly currency: Currency
  readonly prices: Readonly<Record<keyof DollarPrices, bigint>>
}

/** Reads the prices that are given; 0 for those that are not. @throws a `UsageError` */
export function readGivenTerms(
  given: Call<never, Pick<typeof termsOptions, 'price' | 'rent' | 'fork-price'>>['options'],
): GivenTerms {
  const { currency, amounts } = readPrices({
    '--price': given.price,
    '--rent': given.rent,
    '--fork-price': given['fork-price'],
  })
  const prices = {
    price: amounts['--price'],
    rentalPricePerDay: amounts['--rent'],
    forkPrice: amounts['--fork-price'],
  }
  return { currency, prices }
}

/** Reads the share of a royalty; `undefined` when none is given. @throws a `UsageError` */
export const readRoyalty = ({ royalty }: { readonly royalty?: string | undefined }) =>
  royalty === undefined ? undefined : readBps('--royalty', royalty)

/** Returns prices as the terms of a request. */
export const toTerms = (
  { currency, prices }: GivenTerms,
  forkRoyaltyBps: number,
): Omit<ListInput, 'tokenId'> =>
  currency === 'native'
    ? { ...prices, forkRoyaltyBps }
    : { ...noPrices, forkRoyaltyBps, dollars: mapPrices(prices, String) }
