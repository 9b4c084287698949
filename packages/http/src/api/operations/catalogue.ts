import { failuresOf } from '@heirloom/core'
import { mostRentals } from '../bounds.ts'
import { anyBody, anyCatalogueRead, anyRead, anyRequest, anyTokenRead } from '../problem.ts'
import {
  ActivityParameters,
  decimalParameter,
  FacetsParameters,
  ListingsParameters,
  pageQuery,
  pattern,
  querySchema,
  TokensParameters,
} from '../schemas/catalogue-queries.ts'
import {
  AccountParams,
  EarningRecord,
  EarningsRecord,
  FacetsRecord,
  IntegrityRecord,
  LineageRecord,
  pageRecord,
  RentalsRecord,
  TokenRecord,
} from '../schemas/catalogue-schemas.ts'
import { EventRecord } from '../schemas/event-schemas.ts'
import { ExcerptsRecord } from '../schemas/excerpts-schemas.ts'
import { TitlesQuery, TitlesRecord } from '../schemas/lookup-schemas.ts'
import {
  RateBody,
  RatingCountsQuery,
  RatingCountsRecord,
  RatingRecord,
  RatingsRecord,
} from '../schemas/rating-schemas.ts'
import { EraseHeaders, pageSizePattern, TokenParams } from '../schemas/schema-parts.ts'
import { anySignedCall } from './memory.ts'
import { read } from './operation.ts'

const anySearch = [...anyCatalogueRead, 'value/invalid'] as const

const ofToken = { tag: 'memory', params: TokenParams, failures: anyTokenRead } as const
const onMarket = { tag: 'marketplace', failures: anySearch } as const
const ofAccount = {
  tag: 'marketplace',
  params: AccountParams,
  failures: [...anyRequest, 'catalogue/unavailable', 'value/invalid'],
} as const

const nothingElse = querySchema({})
const page = querySchema(pageQuery)

const LineageParameters = querySchema({
  after: decimalParameter(
    'Id that the descendants begin after: that of the last one on the previous page, of 500.',
    '501',
  ),
  limit: pattern(pageSizePattern, 'The most descendants, 1 to 100; 500 when absent.', '50'),
  price: decimalParameter(
    'The price to split, in wei, or in millionths of a dollar for a token that is listed in dollars. By default the price of the token if it is for sale, else 1 ether or 1 dollar.',
    '1000000000000000000',
  ),
})

/** The reads of the catalogue, and what is kept beside it. */
export const catalogueOperations = {
  facets: read({
    ...onMarket,
    summary: 'Count live listings',
    description:
      'Returns how many live listings match every parameter, and how many of them have each category, tag, creator, format, offer and currency. Adding such a value to the query leaves as many listings.',
    query: FacetsParameters,
    answers: { 200: FacetsRecord },
  }),
  listings: read({
    ...onMarket,
    summary: 'Find live listings',
    description:
      'Returns the live listings that match every parameter. Over all pages each listing appears once, also if others are listed or taken down meanwhile.',
    query: ListingsParameters,
    answers: { 200: pageRecord(TokenRecord, 'Tokens that are listed.') },
  }),
  tokens: read({
    tag: 'memory',
    summary: 'Find memories',
    description: 'Returns the tokens that match every parameter, newest first.',
    query: querySchema({
      tokenId: decimalParameter('Id of the token.', '1'),
      ...TokensParameters.properties,
    }),
    answers: { 200: pageRecord(TokenRecord, 'Tokens.') },
    failures: anySearch,
  }),
  titles: read({
    ...onMarket,
    summary: 'Read the titles of several tokens',
    description:
      'Returns the title of the card of each token, to name the tokens of a list of events. A token without a card, erased or never minted has none.',
    query: TitlesQuery,
    answers: { 200: TitlesRecord },
  }),
  lineage: read({
    ...ofToken,
    summary: 'Read the ancestors and descendants of a token, and who would be paid',
    description:
      'Splits `price`, or the price of the listing when absent, among the creators of the ancestors and the seller.',
    query: LineageParameters,
    answers: { 200: LineageRecord },
  }),
  history: read({
    ...ofToken,
    summary: 'Read all events of a token, oldest first',
    description:
      'Returns its mint, listings, sales, rentals, forks, royalties and transfers, in pages.',
    query: page,
    answers: { 200: pageRecord(EventRecord, 'Events.') },
  }),
  rentals: read({
    ...ofToken,
    summary: 'Read the running rentals of a token',
    description: `Returns at most ${mostRentals} rentals, the last to end first.`,
    query: nothingElse,
    answers: { 200: RentalsRecord },
  }),
  activity: read({
    ...onMarket,
    summary: 'Read what happened, newest first',
    description:
      'Returns the events of all tokens or of one, or those that name an account or are of some kinds. A page ends after 20,000 searched events, so one of an account or of kinds may have fewer items than its limit, or none, before the end.',
    query: ActivityParameters,
    answers: { 200: pageRecord(EventRecord, 'Events.') },
  }),
  eachEarning: read({
    ...ofAccount,
    summary: 'Read each payment that an account received, the newest first',
    description:
      'Its sales, rentals and forks after royalties, and its royalties; `earnings` adds them up. A page may have fewer items than its limit, or none, before the last one: go on until `next` is null.',
    query: page,
    answers: { 200: pageRecord(EarningRecord, 'Payments.') },
  }),
  excerpts: read({
    ...ofToken,
    summary: 'Read the excerpts of a memory with their proofs',
    description:
      'Returns the values of a memory that its creator shows, each with the proof that the sealed memory commits to it.',
    query: nothingElse,
    answers: { 200: ExcerptsRecord },
  }),
  integrity: read({
    tag: 'memory',
    summary: 'Check whether the sealed bytes of a token are here and intact',
    description:
      'Reads the bytes and hashes them, and never opens them. The result is cached for a second.',
    params: TokenParams,
    query: nothingElse,
    answers: { 200: IntegrityRecord },
    failures: [
      ...anyRead,
      'blob/unavailable',
      'memory/erased',
      'service/busy',
      'token/not-found',
      'value/invalid',
    ],
  }),
  earnings: read({
    ...ofAccount,
    summary: 'Read what an account has earned',
    description: 'Adds up what the marketplace paid to an account, in wei and in dollars.',
    query: nothingElse,
    answers: { 200: EarningsRecord },
  }),
}

/** The operations on ratings. */
export const ratingOperations = {
  ratings: read({
    tag: 'memory',
    summary: 'Read the ratings of a token, the newest first',
    description:
      'Only accounts that paid for a token rate it, once each. Each rating names the transaction that paid, and has the text and the signature of the account.',
    params: TokenParams,
    query: page,
    answers: { 200: RatingsRecord },
    failures: [...anyTokenRead, 'rating/unavailable'],
  }),
  ratingCounts: read({
    tag: 'marketplace',
    summary: 'Count the ratings of several tokens',
    description: 'An average says nothing without the number of accounts, so this returns numbers.',
    query: RatingCountsQuery,
    answers: { 200: RatingCountsRecord },
    failures: [...anyRead, 'rating/unavailable', 'service/busy', 'value/invalid'],
  }),
  // An account that paid signs it.
  rate: read({
    tag: 'memory',
    summary: 'Rate a token, as an account that paid for it',
    description: [
      'The account that bought, rented or forked the token, or that it was bought or rented for, signs (EIP-191)',
      '`heirloom:rate:<host>:<chainId>:<registry>:<tokenId>:<address>:<timestamp>:<score>:<comment>`, with the',
      'host of this server. The maker of a token rates it never, and what an owner pays to itself does not count.',
      'A later rating of the account replaces an earlier one.',
    ].join(' '),
    security: [{}],
    params: TokenParams,
    headers: EraseHeaders,
    body: RateBody,
    answers: { 201: RatingRecord },
    failures: [...anySearch, ...anyBody, ...failuresOf.rate, ...anySignedCall],
  }),
}
