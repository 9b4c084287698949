import { type Currency, currencies } from '@heirloom/core'
import { shownValue } from '../../api/shown-value.ts'
import { type Call, type Options, UsageError, withValue } from './command.ts'
import { type Price, readPrice } from './read-amounts.ts'
import { omitUndefined, readAddress, readOptional, readTokenId } from './read-values.ts'

/** An option that takes the address of an account. */
export const accountOption = (about: string) =>
  ({ type: 'string', value: 'ADDRESS', about }) as const
const amount = (about: string) => ({ type: 'string', value: 'AMOUNT', about }) as const

/** The options that say what is on a card, and where a memory comes from. */
export const cardFilters = {
  category: withValue('WORD', 'The category on its card.'),
  tag: withValue('WORD', 'A tag on its card.'),
  format: withValue('FORMAT', 'The format it was imported from.'),
  match: {
    type: 'string',
    choices: ['all', 'any'],
    about: 'any: some of WORDS are enough; those with all come first.',
  },
  creator: accountOption('The creator.'),
  parent: withValue('ID', 'The token it derives from.'),
} as const satisfies Options

/** The options that only offers match. */
export const offerFilters = {
  for: withValue('sale,rent,fork', 'The offers it must have.'),
  currency: {
    type: 'string',
    choices: currencies,
    about: 'The currency of the prices. Default: that of the given prices, or any.',
  },
  'min-price': amount('The lowest price.'),
  'max-price': amount('The highest price, as in 0.01ether or 5usd.'),
  'max-rent': amount('The highest rent per day.'),
  'max-fork-price': amount('The highest price of a fork.'),
  seller: accountOption('The seller.'),
  maker: accountOption('Who made the memory: of a licensed fork the creator of its source.'),
} as const satisfies Options

type Given = Call<never, typeof cardFilters & typeof offerFilters>['options']

/** Reads the options about cards as a query. @throws a `UsageError` */
export const readCardFilters = (words: string | undefined, given: Given) =>
  omitUndefined({
    search: words,
    category: given.category,
    tag: given.tag,
    format: given.format,
    match: given.match as 'all' | 'any' | undefined,
    creator: readOptional(readAddress, '--creator', given.creator),
    parent: readOptional(readTokenId, '--parent', given.parent),
  })

/** Reads the options about offers as a query. @throws a `UsageError` */
export function readOfferFilters(given: Given) {
  const read = (name: 'min-price' | 'max-price' | 'max-rent' | 'max-fork-price') =>
    readOptional(readPrice, `--${name}`, given[name])
  const prices = [read('min-price'), read('max-price'), read('max-rent'), read('max-fork-price')]
  const [minPrice, maxPrice, maxRentalPricePerDay, maxForkPrice] = prices.map((it) => it?.amount)
  return omitUndefined({
    offer: given.for?.split(',').map(readOffer),
    currency: currencyOf(given, prices),
    minPrice,
    maxPrice,
    maxRentalPricePerDay,
    maxForkPrice,
    seller: readOptional(readAddress, '--seller', given.seller),
    maker: readOptional(readAddress, '--maker', given.maker),
  })
}

/** Returns the currency of a search, in which all its prices must be. */
function currencyOf(given: Given, prices: readonly (Price | undefined)[]): Currency | undefined {
  const found = new Set(prices.flatMap((it) => it?.currency ?? []))
  const [currency] = [given.currency as Currency | undefined, ...found].filter((it) => it)
  if ([...found].some((it) => it !== currency)) {
    throw new UsageError('All prices must be in one currency, that of --currency if it is given.')
  }
  return currency
}

function readOffer(text: string): 'sale' | 'rent' | 'fork' {
  if (text === 'sale' || text === 'rent' || text === 'fork') return text
  throw new UsageError(
    `--for must be sale, rent or fork, or several separated by commas${shownValue(text)}.`,
  )
}
