import { decimalPattern, type PageInput } from '@heirloom/core'
import { type Static, type TProperties, Type } from '@sinclair/typebox'
import { addressPattern } from './address.ts'
import { sample } from './schemas.ts'

/** A query that may have these parameters and no others. */
export const querySchema = <Parameters extends TProperties>(parameters: Parameters) =>
  Type.Object(parameters, { additionalProperties: false })

const pattern = (matches: string, description: string, example: string) =>
  Type.Optional(Type.String({ pattern: matches, description, examples: [example] }))

const short = (maxLength: number, description: string, example: string) =>
  Type.Optional(Type.String({ maxLength, description, examples: [example] }))

/** A parameter that is an amount or an id. */
export const decimalParameter = (description: string, example: string) =>
  pattern(decimalPattern, description, example)

/** A parameter that is a wallet. */
const accountIn = (description: string) => pattern(addressPattern, description, sample.address)

/** A parameter that is a content hash. */
const hashIn = (description: string) => pattern('^0x[0-9a-fA-F]{64}$', description, sample.hash)

/** A parameter that lists one or more of these words with commas between them. */
export const wordsParameter = (words: readonly string[], description: string) => {
  const word = `(${words.join('|')})`
  const more = words.length - 1
  return pattern(`^${word}(,${word}){0,${more}}$`, description, words.slice(0, 2).join())
}

/** A parameter that is one of these words. */
const wordIn = <const Words extends readonly string[]>(words: Words, description: string) =>
  Type.Optional(
    Type.Unsafe<Words[number]>({ type: 'string', enum: words, description, examples: [words[0]] }),
  )

/** What asks for a page. */
export const pageQuery = {
  after: short(1000, 'What an earlier page gave as `next`.', 'Mi0w'),
  limit: pattern('^([1-9][0-9]?|100)$', 'How many at most, 1 to 100; 20 when absent.', '20'),
}

/** What cards are searched for. */
const cardQuery = {
  search: short(
    200,
    'Words that cards must all have, each as the beginning of a word: at most 16, of two letters or more. Those found in titles come first, then in tags, category and description.',
    'trade',
  ),
  category: short(32, 'The category that cards must name.', 'trading'),
  tag: short(32, 'A tag that cards must have.', 'equities'),
}

const least = (price: string) => decimalParameter(`The least ${price}, in wei.`, '1000000000000000')
const most = (price: string) => decimalParameter(`The most ${price}, in wei.`, '1000000000000000000')

/** What listings are looked for by. */
export const ListingsParameters = querySchema({
  offer: wordsParameter(['sale', 'rent', 'fork'], 'Every way in which it must be offered.'),
  minPrice: least('price'),
  maxPrice: most('price'),
  minRentalPricePerDay: least('rent of a day'),
  maxRentalPricePerDay: most('rent of a day'),
  minForkPrice: least('price of a fork'),
  maxForkPrice: most('price of a fork'),
  seller: accountIn('Who offers it.'),
  creator: accountIn('Who made it.'),
  parent: decimalParameter('The token it grew from.', '1'),
  ...cardQuery,
  sort: wordIn(
    ['listedAt', 'tokenId', 'price', 'rentalPricePerDay', 'forkPrice', 'relevance'],
    'The order; by a price, only what is offered that way is told. When absent, by relevance where words are searched for, else by the time of listing.',
  ),
  order: wordIn(['desc', 'asc'], 'The greatest first, which is so when absent, or the least.'),
  ...pageQuery,
})

/** What tokens are looked for by. */
export const TokensParameters = querySchema({
  owner: accountIn('Who owns it.'),
  creator: accountIn('Who made it.'),
  parent: decimalParameter('The token it grew from.', '1'),
  contentHash: hashIn('What it holds.'),
  renter: accountIn('Who rents it or did.'),
  ...cardQuery,
  ...pageQuery,
})

const Asked = Type.Object(pageQuery)

/** Reads what asks for a page. */
export const pageInput = ({ after, limit = '20' }: Static<typeof Asked>): PageInput => ({
  ...{ after, limit: Number(limit) },
})

/** Returns the words of a list with commas between them. */
export const splitList = <Word extends string>(list: string | undefined) =>
  list?.split(',') as readonly Word[] | undefined

/** Reads a parameter that may be absent. */
export function read<T>(reader: (text: string) => T, text: string | undefined): T | undefined {
  return text === undefined ? undefined : reader(text)
}
