import { type Currency, currencies } from '@heirloom/core'
import type { Client } from '../../client/client.ts'
import { readRated } from '../../client/read-rated.ts'
import type { Token } from '../../client/responses.ts'
import { type Call, command, type Options } from '../arguments/command.ts'
import { omitUndefined } from '../arguments/omit-undefined.ts'
import { readAddress } from '../arguments/read-address.ts'
import { type Price, readPrice } from '../arguments/read-price.ts'
import { readTokenId } from '../arguments/read-token-id.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import { screened, screenedOption } from '../connection/screened.ts'
import type { Line } from '../terminal/output.ts'
import { rows } from '../terminal/rows.ts'
import { termsText } from '../terminal/terms-text.ts'

const account = (about: string) => ({ type: 'string', value: 'ADDRESS', about }) as const
const amount = (about: string) => ({ type: 'string', value: 'AMOUNT', about }) as const

const offerOptions = {
  for: { type: 'string', value: 'sale,rent,fork', about: 'The offers it must have.' },
  currency: {
    type: 'string',
    choices: currencies,
    about: 'The currency of the prices. Default: that of the given prices, or any.',
  },
  'min-price': amount('The lowest price.'),
  'max-price': amount('The highest price, as in 0.01ether or 5usd.'),
  'max-rent': amount('The highest rent per day.'),
  'max-fork-price': amount('The highest price of a fork.'),
  seller: account('The seller.'),
  sort: {
    type: 'string',
    choices: ['listedAt', 'tokenId', 'price', 'rentalPricePerDay', 'forkPrice', 'relevance'],
    about: 'The order. Default: by relevance to WORDS, or by the time of listing without WORDS.',
  },
  order: {
    type: 'string',
    choices: ['desc', 'asc'],
    about: 'Highest or newest first (desc), or the reverse.',
  },
} as const satisfies Options

const memoryOptions = {
  owner: account('The owner.'),
  renter: account('A current or former renter.'),
  'content-hash': { type: 'string', value: 'HASH', about: 'Content hash: 0x and 64 hex digits.' },
} as const satisfies Options

const options = {
  all: { type: 'boolean', about: 'Search every memory, not only what is offered.' },
  category: { type: 'string', value: 'WORD', about: 'The category on its card.' },
  tag: { type: 'string', value: 'WORD', about: 'A tag on its card.' },
  creator: account('The creator.'),
  parent: { type: 'string', value: 'ID', about: 'The token it derives from.' },
  ...offerOptions,
  ...memoryOptions,
  limit: { type: 'string', value: 'N', about: 'The number of results, 1 to 100. Default: 20.' },
  after: { type: 'string', value: 'CURSOR', about: 'Continue after an earlier page.' },
  ...screenedOption,
  ...serverOptions,
} as const satisfies Options

/** Searches the catalogue. */
export const browse = command({
  about: 'Searches the offered memories, or all memories with --all.',
  more: [
    `--${Object.keys(memoryOptions).join(', --')} imply --all; they cannot be combined with options for prices, offers or a seller.`,
  ],
  words: [
    {
      name: 'WORDS',
      about: 'Words on the card, in quotes; each has at least two letters.',
      optional: true,
    },
  ],
  options,
  examples: [
    { line: 'heirloom browse', about: 'List the offers, newest first:' },
    {
      line: 'heirloom browse "year of trades" --for sale,fork --max-price 0.5ether --sort price --order asc',
      about: 'Search, cheapest first:',
    },
    {
      line: 'heirloom browse --all --category trading --json | jq -r ".items[].tokenId"',
      about: 'Print only the numbers, for a program:',
    },
  ],
  run: async (call) => {
    const client = await connect(call)
    const { items: found, next } = await search(call, client)
    const items = await screened(call, client, found)
    const ids = items.map(({ tokenId }) => tokenId)
    const rated = await readRated(client, ids, { signal: call.signal })
    const more = next === null ? [] : [`More with --after ${next}`]
    const none = items.length === 0 ? [noneText(call)] : []
    await call.output.result({
      value: { items, next },
      lines: [...items.flatMap((it) => linesOf(it, rated.get(it.tokenId))), ...more, ...none],
    })
    return 0
  },
})

/** Returns what an empty page says: the offers are not all memories. */
const noneText = ({ options: { all, after } }: BrowseCall): string =>
  all === true || after !== undefined
    ? 'Nothing found.'
    : 'No offer found. heirloom browse --all searches every memory, also those that are not offered.'

type BrowseCall = Call<'WORDS', typeof options>

function search(call: BrowseCall, client: Client): ReturnType<Client['memories']> {
  const { options: given, signal } = call
  const searchesOffers = Object.keys(offerOptions).some((name) => name in given)
  const searchesAll = given.all === true || Object.keys(memoryOptions).some((name) => name in given)
  if (searchesOffers && searchesAll) {
    throw new UsageError(
      `Options for offers (--${Object.keys(offerOptions).join(', --')}) cannot be combined with --all.`,
    )
  }
  return searchesAll
    ? client.memories({ ...cardQuery(call), ...memoryQuery(given) }, { signal })
    : client.listings({ ...cardQuery(call), ...offerQuery(given) }, { signal })
}

type Given = BrowseCall['options']

const cardQuery = ({ words, options: given }: BrowseCall) =>
  omitUndefined({
    ...{ search: words.WORDS, category: given.category, tag: given.tag, after: given.after },
    creator: readOptional(readAddress, '--creator', given.creator),
    parent: readOptional(readTokenId, '--parent', given.parent),
    limit: readOptional(readLimit, '--limit', given.limit),
  })

const memoryQuery = (given: Given) =>
  omitUndefined({
    owner: readOptional(readAddress, '--owner', given.owner),
    renter: readOptional(readAddress, '--renter', given.renter),
    contentHash: given['content-hash'],
  })

function offerQuery(given: Given) {
  const read = (name: 'min-price' | 'max-price' | 'max-rent' | 'max-fork-price') =>
    readOptional(readPrice, `--${name}`, given[name])
  const prices = [read('min-price'), read('max-price'), read('max-rent'), read('max-fork-price')]
  const [minPrice, maxPrice, maxRentalPricePerDay, maxForkPrice] = prices.map((it) => it?.amount)
  return omitUndefined({
    offer: given.for?.split(',').map(readOffer),
    currency: currencyOf(given, prices),
    ...{ minPrice, maxPrice, maxRentalPricePerDay, maxForkPrice },
    seller: readOptional(readAddress, '--seller', given.seller),
    sort: given.sort as Sort | undefined,
    order: given.order as 'desc' | 'asc' | undefined,
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

type Sort = (typeof offerOptions.sort.choices)[number]

function readOptional<T>(
  reader: (name: string, text: string) => T,
  name: string,
  text: string | undefined,
): T | undefined {
  return text === undefined ? undefined : reader(name, text)
}

function readLimit(name: string, text: string): number {
  if (/^([1-9][0-9]?|100)$/.test(text)) return Number(text)
  throw new UsageError(`${name} must be a whole number from 1 to 100.`)
}

function readOffer(text: string): 'sale' | 'rent' | 'fork' {
  if (text === 'sale' || text === 'rent' || text === 'fork') return text
  throw new UsageError('--for must be sale, rent or fork, or several separated by commas.')
}

function linesOf(token: Token, rated: string | undefined): readonly Line[] {
  const { tokenId, card, creator, owner, listing, originality } = token
  const title = card?.title ?? 'untitled'
  const words = [card?.category, ...(card?.tags ?? [])].filter((word) => word !== undefined)
  return [
    [
      { style: 'bold', text: `${tokenId}  ${title}` },
      { style: 'dim', text: `  ${words.join(', ')}` },
    ],
    ...rows([
      ...(listing ? termsText(listing) : []),
      ...(rated === undefined ? [] : [['Rated', rated] as const]),
      ['Creator', creator],
      ...(originality === 'original' ? [] : [['Origin', originality] as const]),
      ...(owner === creator ? [] : [['Owner', owner] as const]),
    ]).map((line): Line => ['   ', ...(typeof line === 'string' ? [line] : line)]),
    '',
  ]
}
