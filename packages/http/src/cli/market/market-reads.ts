import type { Facets } from '../../client/responses.ts'
import { command, withValue } from '../arguments/command.ts'
import {
  cardFilters,
  offerFilters,
  readCardFilters,
  readOfferFilters,
} from '../arguments/market-filters.ts'
import { readTokenId } from '../arguments/read-values.ts'
import { screened, screenedOption } from '../connection/answers.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import { readCommand, serverRead } from '../connection/read-command.ts'
import { eventText } from '../terminal/market-text.ts'
import { type Line, printableJson, writeTo } from '../terminal/output.ts'
import { priceText, rows } from '../terminal/value-text.ts'

/** Counts offers. */
export const facets = readCommand({
  about: 'Counts the offered memories, in all and by offer, currency, category, tag and maker.',
  more: [
    'It takes the words and filters of heirloom browse, and each number is what browse finds.',
  ],
  words: [{ name: 'WORDS', about: 'Words on the card, in quotes.', optional: true }],
  options: { ...cardFilters, ...offerFilters, ...screenedOption },
  examples: {
    'Count all offers:': 'heirloom facets',
    'Count what is for sale in each category, for a program:':
      'heirloom facets trades --for sale --json | jq .categories',
  },
  subjectOf: ({ words, options }) => ({
    ...readCardFilters(words.WORDS, options),
    ...readOfferFilters(options),
  }),
  ask: async (call, query) => {
    const { client, signal } = call
    return screened(call, client, await client.facets(query, { signal }))
  },
  show: (found) => facetLines(found),
})

const facetLines = (found: Facets): readonly Line[] =>
  rows([
    ['Offers', `${found.total}${found.isCut ? ' or more' : ''}`],
    ['By offer', countsText(Object.entries(found.offers))],
    ['By currency', countsText(Object.entries(found.currencies))],
    ...(['categories', 'tags', 'makers'] as const).map(
      (name) =>
        [
          `By ${singular[name]}`,
          countsText(found[name].map(({ value, count }) => [value, count] as const)),
        ] as const,
    ),
  ])

const singular = { categories: 'category', tags: 'tag', makers: 'maker' }

const countsText = (counts: readonly (readonly [string, number])[]): string =>
  counts.map(([name, count]) => `${name} ${count}`).join(', ') || 'none'

/** Prints events as they happen. */
export const events = command({
  about: 'Prints what happens on the market as it happens, until Ctrl-C.',
  more: [
    'With --json each event is one line. A lost connection is resumed after the last event that was printed.',
  ],
  words: [],
  options: {
    token: withValue('ID', 'Only the events of this token.'),
    after: withValue('ID', 'Begin after the event with this id.'),
    ...serverOptions,
  },
  examples: {
    'Watch the market:': 'heirloom events',
    'Pass events to a program:': 'heirloom events --token 7 --json | jq .kind',
  },
  run: async (call) => {
    const { token, after } = call.options
    const tokenId = token === undefined ? undefined : readTokenId('--token', token)
    const client = await connect(call)
    for await (const event of client.events({ tokenId, after }, { signal: call.signal })) {
      if (!call.output.json) await call.output.lines([eventText(event)])
      else await writeTo(call.terminal.stdout, `${printableJson(JSON.stringify(event))}\n`)
    }
  },
})

/** Shows the chain and the contracts of a server. */
export const deployment = serverRead({
  about: 'Shows the chain, the contracts and the dollar that a server uses.',
  more: ['Compare the addresses with a source other than the server before you trust it.'],
  examples: {
    'Show the contracts of the server:': 'heirloom deployment',
    'Print only the registry:': 'heirloom deployment --json | jq -r .registry',
  },
  ask: ({ client, signal }) => client.deployment({ signal }),
  show: ({ chainName, chainId, registry, marketplace, agent, dollar }) =>
    rows([
      ['Chain', chainName === null ? `${chainId}` : `${chainName}, ${chainId}`],
      ['Registry', registry],
      ['Marketplace', marketplace],
      ['Wallet', agent],
      ['Dollar', dollar === null ? 'none' : `${dollar.symbol}, ${dollar.address}`],
    ]),
})

/** Shows the server's wallet. */
export const wallet = serverRead({
  about: "Shows the balance and the limits of the server's wallet, which pays for your writes.",
  examples: {
    'Show the wallet of the server:': 'heirloom wallet',
  },
  ask: ({ client, signal }) => client.wallet({ signal }),
  show: ({ apiKey, ...value }) =>
    rows([
      ['Address', value.address],
      ['Balance', priceText('native', value.balance)],
      ['Spent today', priceText('native', value.spentToday)],
      ['Limit of a call', limitText(value.maxSpendPerCall)],
      ['Limit of a day', limitText(value.maxSpendPerDay)],
      ...(apiKey === undefined
        ? []
        : ([
            ['API key', `${apiKey.name}, scope ${apiKey.scope}`],
            ['Spent with it today', priceText('native', apiKey.spentToday)],
            ['Its limit of a call', limitText(apiKey.maxSpendPerCall)],
            ['Its limit of a day', limitText(apiKey.maxSpendPerDay)],
          ] as const)),
    ]),
})

const limitText = (limit: string | null) => (limit === null ? 'none' : priceText('native', limit))
