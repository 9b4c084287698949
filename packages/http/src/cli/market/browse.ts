import { shownValue } from '../../api/shown-value.ts'
import type { Client } from '../../client/client.ts'
import { readRated } from '../../client/ratings.ts'
import type { Token } from '../../client/responses.ts'
import { type Call, command, type Options, UsageError, withValue } from '../arguments/command.ts'
import {
  accountOption,
  cardFilters,
  offerFilters,
  readCardFilters,
  readOfferFilters,
} from '../arguments/market-filters.ts'
import {
  moreLine,
  omitUndefined,
  pageOptions,
  readAddress,
  readOptional,
  readPage,
} from '../arguments/read-values.ts'
import { screened, screenedOption } from '../connection/answers.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import { nameAccounts } from '../connection/name-accounts.ts'
import { termsText } from '../terminal/market-text.ts'
import type { Line } from '../terminal/output.ts'
import { rows } from '../terminal/value-text.ts'

const sortOptions = {
  sort: {
    type: 'string',
    choices: [
      ...(['listedAt', 'tokenId', 'price', 'rentalPricePerDay', 'forkPrice'] as const),
      ...(['relevance', 'rentals', 'forks', 'ratings'] as const),
    ],
    about: 'The order. Default: by relevance to WORDS, or by the time of listing without WORDS.',
  },
  order: {
    type: 'string',
    choices: ['desc', 'asc'],
    about: 'Highest or newest first (desc), or the reverse.',
  },
} as const satisfies Options

const offerOptions = { ...offerFilters, ...sortOptions }

const memoryOptions = {
  owner: accountOption('The owner.'),
  renter: accountOption('A current or former renter.'),
  'content-hash': withValue('HASH', 'Content hash: 0x and 64 hex digits.'),
} as const satisfies Options

const options = {
  all: { type: 'boolean', about: 'Search every memory, not only what is offered.' },
  ...cardFilters,
  ...offerOptions,
  ...memoryOptions,
  ...pageOptions,
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
  examples: {
    'List the offers, newest first:': 'heirloom browse',
    'Search, cheapest first:':
      'heirloom browse "year of trades" --for sale,fork --max-price 0.5ether --sort price --order asc',
    'Print only the numbers, for a program:':
      'heirloom browse --all --category trading --json | jq -r ".items[].tokenId"',
  },
  run: async (call) => {
    const client = await connect(call)
    const { items: found, next } = await search(call, client)
    const items = await screened(call, client, found)
    const ids = items.map(({ tokenId }) => tokenId)
    const rated = await readRated(client, ids, { signal: call.signal })
    const more = moreLine(next)
    const shown = items.flatMap((it) => linesOf(it, rated.get(it.tokenId)))
    const none = items.length === 0 ? await noneLines(call, client) : []
    await call.output.result({
      value: { items, next },
      lines: [...(await nameAccounts(call, client, shown)), ...more, ...none],
    })
  },
})

/** Returns what an empty page says: the offers are not all memories, and a word may be misspelt. */
async function noneLines(call: BrowseCall, client: Client): Promise<readonly Line[]> {
  const { all, after } = call.options
  if (all === true || after !== undefined) return ['Nothing found.']
  const correction = await findCorrection(call, client)
  if (correction === undefined) return [noOffer]
  return [noOffer, `The nearest words of offers are “${correction}”.`]
}

const noOffer =
  'No offer found. heirloom browse --all searches every memory, also those that are not offered.'

/** Returns the words of a search as offers spell them; nothing where the server does not say. */
async function findCorrection({ words, options: given, signal }: BrowseCall, client: Client) {
  if (words.WORDS === undefined) return undefined
  const query = { ...readCardFilters(words.WORDS, given), ...readOfferFilters(given) }
  const counted = await client.facets(query, { signal }).catch(() => undefined)
  return counted?.correction ?? undefined
}

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

const cardQuery = ({ words, options: given }: BrowseCall) => ({
  ...readCardFilters(words.WORDS, given),
  ...readPage(given),
})

const memoryQuery = (given: Given) =>
  omitUndefined({
    owner: readOptional(readAddress, '--owner', given.owner),
    renter: readOptional(readAddress, '--renter', given.renter),
    contentHash: readOptional(readHash, '--content-hash', given['content-hash']),
  })

function readHash(name: string, text: string): string {
  if (/^0x[0-9a-f]{64}$/i.test(text)) return text
  throw new UsageError(`${name} must be 0x and 64 hexadecimal digits${shownValue(text)}.`)
}

const offerQuery = (given: Given) =>
  omitUndefined({
    ...readOfferFilters(given),
    sort: given.sort as Sort | undefined,
    order: given.order as 'desc' | 'asc' | undefined,
  })

type Sort = (typeof sortOptions.sort.choices)[number]

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
