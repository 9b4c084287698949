import type { Client } from '../../client/client.ts'
import type { Token } from '../../client/responses.ts'
import { readAmount } from '../arguments/read-amount.ts'
import { type Call, command, type Options } from '../arguments/command.ts'
import { connect, readAccount, readToken, serverOptions } from '../connection/connect.ts'
import { defined } from '../arguments/omit-undefined.ts'
import type { Line } from '../terminal/output.ts'
import { rows } from '../terminal/rows.ts'
import { termsText } from '../terminal/terms-text.ts'
import { UsageError } from '../arguments/usage-error.ts'

const account = (about: string) => ({ type: 'string', value: 'ADDRESS', about }) as const
const amount = (about: string) => ({ type: 'string', value: 'AMOUNT', about }) as const

const offerOptions = {
  for: { type: 'string', value: 'sale,rent,fork', about: 'Every way in which it must be offered.' },
  'min-price': amount('The least price.'),
  'max-price': amount('The most price, as in 0.01ether.'),
  'max-rent': amount('The most rent of a day.'),
  'max-fork-price': amount('The most price of a fork.'),
  seller: account('Who offers it.'),
  sort: {
    type: 'string',
    choices: ['listedAt', 'tokenId', 'price', 'rentalPricePerDay', 'forkPrice', 'relevance'],
    about: 'The order; when absent, by relevance to WORDS, else by the time of listing.',
  },
  order: { type: 'string', choices: ['desc', 'asc'], about: 'The greatest first, or the least.' },
} as const satisfies Options

const memoryOptions = {
  owner: account('Who owns it.'),
  renter: account('Who rents it or did.'),
  'content-hash': { type: 'string', value: 'HASH', about: 'What it holds.' },
} as const satisfies Options

const options = {
  all: { type: 'boolean', about: 'Every memory, and not only what is offered.' },
  category: { type: 'string', value: 'WORD', about: 'The category that its card names.' },
  tag: { type: 'string', value: 'WORD', about: 'A tag that its card has.' },
  creator: account('Who made it.'),
  parent: { type: 'string', value: 'ID', about: 'The token it grew from.' },
  ...offerOptions,
  ...memoryOptions,
  limit: { type: 'string', value: 'N', about: 'How many at most, 1 to 100; 20 when absent.' },
  after: { type: 'string', value: 'CURSOR', about: 'Where an earlier page ended.' },
  ...serverOptions,
} as const satisfies Options

/** Searches the catalogue. */
export const browse = command({
  about: 'Searches what is offered, or with --all every memory.',
  more: [
    `--${Object.keys(memoryOptions).join(', --')} search every memory; what asks for prices or a seller, what is offered.`,
  ],
  words: [
    {
      name: 'WORDS',
      about: 'Words that a card must have, in quotes, each of two letters or more.',
      optional: true,
    },
  ],
  options,
  examples: [
    { line: 'heirloom browse', about: 'What is offered, the newest first:' },
    {
      line: 'heirloom browse "year of trades" --for sale,fork --max-price 0.5ether --sort price --order asc',
      about: 'The cheapest first:',
    },
    {
      line: 'heirloom browse --all --category trading --json | jq -r ".items[].tokenId"',
      about: 'In a program:',
    },
  ],
  run: async (call) => {
    const client = await connect(call)
    const { items, next } = await found(call, client)
    const more = next === null ? [] : [`More with --after ${next}`]
    const none = items.length === 0 ? ['Nothing was found.'] : []
    await call.output.answer({
      value: { items, next },
      lines: [...items.flatMap(linesOf), ...more, ...none],
    })
    return 0
  },
})

type BrowseCall = Call<'WORDS', typeof options>

function found(call: BrowseCall, client: Client): ReturnType<Client['memories']> {
  const { options: given, signal } = call
  const ofOffers = Object.keys(offerOptions).some((name) => name in given)
  const ofAll = given.all === true || Object.keys(memoryOptions).some((name) => name in given)
  if (ofOffers && ofAll) {
    throw new UsageError('What asks for offers cannot be asked of every memory; see --help.')
  }
  return ofAll
    ? client.memories({ ...cardQuery(call), ...memoryQuery(given) }, { signal })
    : client.listings({ ...cardQuery(call), ...offerQuery(given) }, { signal })
}

type Given = BrowseCall['options']

const cardQuery = ({ words, options: given }: BrowseCall) =>
  defined({
    ...{ search: words.WORDS, category: given.category, tag: given.tag, after: given.after },
    creator: read(readAccount, '--creator', given.creator),
    parent: read(readToken, '--parent', given.parent),
    limit: read(readLimit, '--limit', given.limit),
  })

const memoryQuery = (given: Given) =>
  defined({
    owner: read(readAccount, '--owner', given.owner),
    renter: read(readAccount, '--renter', given.renter),
    contentHash: given['content-hash'],
  })

const offerQuery = (given: Given) =>
  defined({
    offer: given.for?.split(',').map(readOffer),
    minPrice: read(readAmount, '--min-price', given['min-price']),
    maxPrice: read(readAmount, '--max-price', given['max-price']),
    maxRentalPricePerDay: read(readAmount, '--max-rent', given['max-rent']),
    maxForkPrice: read(readAmount, '--max-fork-price', given['max-fork-price']),
    seller: read(readAccount, '--seller', given.seller),
    sort: given.sort as Sort | undefined,
    order: given.order as 'desc' | 'asc' | undefined,
  })

type Sort = (typeof offerOptions.sort.choices)[number]

function read<T>(
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
  throw new UsageError('--for must be sale, rent or fork, or several with commas between them.')
}

function linesOf({ tokenId, card, creator, owner, listing, originality }: Token): readonly Line[] {
  const title = card?.title ?? 'untitled'
  const words = [card?.category, ...(card?.tags ?? [])].filter((word) => word !== undefined)
  return [
    [
      { style: 'bold', text: `${tokenId}  ${title}` },
      { style: 'dim', text: `  ${words.join(', ')}` },
    ],
    ...rows([
      ...(listing ? termsText(listing) : []),
      ['Creator', creator],
      ...(originality === 'original' ? [] : [['Mark', originality] as const]),
      ...(owner === creator ? [] : [['Owner', owner] as const]),
    ]).map((line): Line => ['   ', ...(typeof line === 'string' ? [line] : line)]),
    '',
  ]
}
