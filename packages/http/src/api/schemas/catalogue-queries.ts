import { currencies, decimalPattern, eventKinds, type PageInput } from '@heirloom/core'
import { type Static, type TProperties, Type } from '@sinclair/typebox'
import { addressPattern } from '../address.ts'
import { hex32Pattern, pageSizePattern, sample } from './schema-parts.ts'

/** Returns the schema of a query that allows only these parameters. */
export const querySchema = <Parameters extends TProperties>(parameters: Parameters) =>
  Type.Object(parameters, { additionalProperties: false })

/** Returns an optional parameter whose text has a pattern. */
export const pattern = (regex: string, description: string, example: string) =>
  Type.Optional(Type.String({ pattern: regex, description, examples: [example] }))

const short = (maxLength: number, description: string, example: string) =>
  Type.Optional(Type.String({ maxLength, description, examples: [example] }))

/** Returns the schema of a parameter that is an amount or an id. */
export const decimalParameter = (description: string, example: string) =>
  pattern(decimalPattern, description, example)

/** Returns the schema of a parameter that is an address. */
const addressParameter = (description: string) =>
  pattern(addressPattern, description, sample.address)

/** Returns the schema of a parameter that is a content hash. */
const hashParameter = (description: string) => pattern(hex32Pattern, description, sample.hash)

/** Returns the schema of a parameter that is a comma-separated list of these words. */
export const wordsParameter = (words: readonly string[], description: string) => {
  const word = `(${words.join('|')})`
  const more = words.length - 1
  return pattern(`^${word}(,${word}){0,${more}}$`, description, words.slice(0, 2).join())
}

/** Returns the schema of a parameter that is one of some words; the first is its example. */
export const wordParameter = <const Words extends readonly string[]>(
  words: Words,
  description: string,
) =>
  Type.Optional(
    Type.Unsafe<Words[number]>({ type: 'string', enum: words, description, examples: [words[0]] }),
  )

/** The parameters of a page. */
export const pageQuery = {
  after: short(1000, 'Cursor: the value of `next` on the previous page.', 'Mi0w'),
  limit: pattern(pageSizePattern, 'Size of the page, 1 to 100; 20 when absent.', '20'),
}

/** The parameters of a search in cards. */
const cardQuery = {
  search: short(
    200,
    'Up to 16 words of at least two letters; each must begin a word of the card, except those of a question such as “how”. Matches in the title rank first, then in tags, category and description.',
    'trade',
  ),
  match: wordParameter(
    ['all', 'any'],
    'any: cards with some of the words in any form match; those with all words rank first, then those with rarer words. all when absent.',
  ),
  category: short(32, 'Category of the card.', 'trading'),
  tag: short(32, 'Tag of the card.', 'equities'),
  format: short(
    120,
    'Format that the memory was imported from, where its creator shows it.',
    'chatgpt',
  ),
}

const unit = 'in wei, or in millionths of a dollar with `currency=dollar`'
const least = (price: string) => decimalParameter(`Lowest ${price}, ${unit}.`, '1000000000000000')
const most = (price: string) =>
  decimalParameter(`Highest ${price}, ${unit}.`, '1000000000000000000')

/** The parameters that select listings. */
const listingsFilter = {
  offer: wordsParameter(['sale', 'rent', 'fork'], 'Offers that the token must all have.'),
  currency: wordParameter(
    currencies,
    'Currency of the prices: native (wei) or dollar. When absent, listings in both match, except that a range or an order of prices leaves out those in dollars.',
  ),
  minPrice: least('sale price'),
  maxPrice: most('sale price'),
  minRentalPricePerDay: least('rental price per day'),
  maxRentalPricePerDay: most('rental price per day'),
  minForkPrice: least('fork price'),
  maxForkPrice: most('fork price'),
  seller: addressParameter('Address of the seller.'),
  creator: addressParameter('Address of the creator of the token.'),
  maker: addressParameter(
    'Address of the account that made the memory: of a licensed fork the creator of its source.',
  ),
  parent: decimalParameter('Id of the parent token.', '1'),
  family: decimalParameter(
    'Id of a token: its memory, the versions of it and the licensed forks of all these match.',
    '1',
  ),
  ...cardQuery,
  sort: wordParameter(
    [
      ...(['listedAt', 'tokenId', 'price', 'rentalPricePerDay', 'forkPrice'] as const),
      ...(['relevance', 'rentals', 'forks', 'ratings'] as const),
    ],
    'Sort key. A price as key leaves out tokens without that offer, rentals (accounts that rented the token), forks and ratings (their average, more with many) those without any. When absent: relevance for a search, otherwise the time of listing.',
  ),
}

/** The query of the numbers of listings. */
export const FacetsParameters = querySchema(listingsFilter)

/** The query of a search for listings. */
export const ListingsParameters = querySchema({
  ...listingsFilter,
  order: wordParameter(['desc', 'asc'], 'Sort order; desc (greatest first) when absent.'),
  group: wordParameter(
    ['family'],
    'family: of a memory, its versions and their licensed forks returns only one that is on offer, with the numbers of all as `family`: sorted by a price the first, otherwise the newest version, or the fork that comes first.',
  ),
  ...pageQuery,
})

/** The query of a search for tokens. */
export const TokensParameters = querySchema({
  owner: addressParameter('Address of the owner.'),
  creator: addressParameter('Address of the creator.'),
  parent: decimalParameter('Id of the parent token.', '1'),
  contentHash: hashParameter('Content hash: 0x and 64 hex digits.'),
  renter: addressParameter('Address of a current or former renter.'),
  ...cardQuery,
  ...pageQuery,
})

/** The query of the activity. */
export const ActivityParameters = querySchema({
  account: addressParameter('Address of an account that the events name.'),
  token: decimalParameter('Id of the token of the events.', '1'),
  kind: wordsParameter(eventKinds, 'Only events of these kinds.'),
  ...pageQuery,
})

/** The query of a page. */
export const PageParameters = Type.Object(pageQuery)

/** Parses the parameters of a page. */
export const pageInput = ({ after, limit = '20' }: Static<typeof PageParameters>): PageInput => ({
  after,
  limit: Number(limit),
})

/** Splits a comma-separated list. */
export const splitList = <Word extends string>(list: string | undefined) =>
  list?.split(',') as readonly Word[] | undefined

/** Parses a parameter that may be absent. */
export function read<T>(reader: (text: string) => T, text: string | undefined): T | undefined {
  return text === undefined ? undefined : reader(text)
}
