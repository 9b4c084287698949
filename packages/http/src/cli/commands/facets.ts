import type { Facets } from '../../client/responses.ts'
import { command, type Options } from '../arguments/command.ts'
import {
  cardFilters,
  offerFilters,
  readCardFilters,
  readOfferFilters,
} from '../arguments/market-filters.ts'
import { screened, screenedOption } from '../connection/answers.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import type { Line } from '../terminal/output.ts'
import { rows } from '../terminal/value-text.ts'

const options = {
  ...cardFilters,
  ...offerFilters,
  ...screenedOption,
  ...serverOptions,
} as const satisfies Options

/** Counts offers. */
export const facets = command({
  about: 'Counts the offered memories, in all and by offer, currency, category, tag and maker.',
  more: [
    'It takes the words and filters of heirloom browse, and each number is what browse finds.',
  ],
  words: [{ name: 'WORDS', about: 'Words on the card, in quotes.', optional: true }],
  options,
  examples: [
    { line: 'heirloom facets', about: 'Count all offers:' },
    {
      line: 'heirloom facets trades --for sale --json | jq .categories',
      about: 'Count what is for sale in each category, for a program:',
    },
  ],
  run: async (call) => {
    const { words, options: given, signal } = call
    const query = { ...readCardFilters(words.WORDS, given), ...readOfferFilters(given) }
    const client = await connect(call)
    const value = await screened(call, client, await client.facets(query, { signal }))
    await call.output.result({ value, lines: linesOf(value) })
    return 0
  },
})

const linesOf = (found: Facets): readonly Line[] =>
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
