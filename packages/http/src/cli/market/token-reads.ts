import type { Client } from '../../client/client.ts'
import { describeAverage, scoreAverage } from '../../client/ratings.ts'
import type { Lineage, Listing, Provenance, Rating } from '../../client/responses.ts'
import { withValue } from '../arguments/command.ts'
import { type Price, readPrice } from '../arguments/read-amounts.ts'
import {
  moreLine,
  pageOptions,
  readOptional,
  readPage,
  readTokenId,
} from '../arguments/read-values.ts'
import {
  checkedExcerpts,
  holdTexts,
  noteHeld,
  screened,
  screenedOption,
} from '../connection/answers.ts'
import { readCommand, tokenRead } from '../connection/read-command.ts'
import { eventText, lineageTree, termsText } from '../terminal/market-text.ts'
import type { Line } from '../terminal/output.ts'
import { priceText, rows, timeText } from '../terminal/value-text.ts'

/** Shows a token. */
export const info = tokenRead({
  about: 'Shows the record of a token on the chain, and its listing.',
  options: screenedOption,
  examples: {
    'Show a token:': 'heirloom info 7',
    'Print only its content hash:': 'heirloom info 7 --json | jq -r .contentHash',
  },
  ask: async (call, id) => {
    const { client, signal } = call
    const [record, listing, sample, owner] = await Promise.all([
      client.info(id, { signal }),
      client.listing(id, { signal }),
      // The record comes from the chain, also while the catalogue does not answer.
      client.excerpts(id, { signal }).catch(() => undefined),
      ownerOf(client, id, signal),
    ])
    const checked = sample === undefined ? [] : checkedExcerpts(sample)
    const proven = checked.map(({ pointer, value }) => ({ pointer, value }))
    const excerpts = await screened(call, client, proven)
    return { ...record, owner, listing, sample: sample && { mark: sample.mark, excerpts } }
  },
  show: ({ owner, listing, sample, ...record }) => [
    ...recordLines(record, listing, owner),
    ...rows(
      (sample?.excerpts ?? []).map(
        ({ pointer, value }) => [`Sample, ${sample?.mark}`, `${pointer}: ${value}`] as const,
      ),
    ),
  ],
})

/** Returns the owner of a token; `undefined` while the catalogue does not answer. */
const ownerOf = (client: Client, id: string, signal: AbortSignal): Promise<string | undefined> =>
  client.lineage(id, {}, { signal }).then(
    ({ token }) => token.owner,
    () => undefined,
  )

function recordLines(
  record: Provenance,
  listing: Listing,
  owner: string | undefined,
): readonly Line[] {
  const offers = termsText(listing)
  return rows([
    ['Token', record.tokenId],
    ['Creator', record.creator],
    ...(owner === undefined ? [] : [['Owner', owner] as const]),
    ['Parent', record.parent === '0' ? 'none' : record.parent],
    ['Minted', timeText(record.timestamp)],
    ['Content hash', record.contentHash],
    ['Storage', record.storageUri],
    ...(record.erasedAt === undefined ? [] : [['Erased', timeText(record.erasedAt)] as const]),
    ...(offers.length > 0 ? [['Seller', listing.seller] as const] : []),
    ...(offers.length > 0 ? offers : [['Listed', 'no'] as const]),
  ])
}

/** Shows the lineage of a token. */
export const lineage = readCommand({
  about: 'Draws the ancestors and descendants of a token, and shows how a price is split.',
  words: [{ name: 'ID', about: 'The token.' }],
  options: {
    price: withValue(
      'AMOUNT',
      'The price to split. Default: its sale price, or 1 ether or dollar.',
    ),
    ...screenedOption,
  },
  examples: {
    'Show the tree and the split of the price:': 'heirloom lineage 7',
    'Split another price, also as in 5usd:': 'heirloom lineage 7 --price 2.5ether',
  },
  subjectOf: ({ words, options }) => ({
    id: readTokenId('ID', words.ID ?? ''),
    price: readOptional(readPrice, '--price', options.price),
  }),
  ask: async (call, { id, price }) => {
    const { client, signal } = call
    const query = price === undefined ? {} : { price: price.amount }
    return screened(call, client, await client.lineage(id, query, { signal }))
  },
  show: (found, { price }) => [...lineageTree(found), '', ...sharesOf(found, price)],
})

function sharesOf({ split, isCut }: Lineage, given: Price | undefined): readonly Line[] {
  const { currency } = given ?? split
  const text = (amount: string) => priceText(currency, amount)
  return [
    ...(isCut ? ['The lineage has more tokens than are shown here.'] : []),
    `Split of ${text(split.price)}`,
    ...rows([
      ...split.royalties.map(
        ({ to, amount, tokenId }) => [`  token ${tokenId}`, `${text(amount)} to ${to}`] as const,
      ),
      ['  seller', text(split.rest)],
    ]),
  ]
}

/** Shows the excerpts of a token. */
export const excerpts = tokenRead({
  about: 'Shows the values of a memory that its creator shows, once their proofs are checked.',
  isQuoted: true,
  more: [
    'proven: the server sealed the memory, and computed the root of the proofs from it. committed: the creator sealed it, and only who opens the memory can compare them. --json has the proofs too.',
  ],
  options: screenedOption,
  examples: {
    'Show the excerpts of a token:': 'heirloom excerpts 7',
    'Print the root that the proofs lead to:': 'heirloom excerpts 7 --json | jq -r .root',
  },
  ask: async (call, id) => {
    const { client, signal } = call
    const found = await client.excerpts(id, { signal })
    return { ...found, excerpts: await screened(call, client, checkedExcerpts(found)) }
  },
  show: ({ mark, excerpts: shown }, id) =>
    mark === null || shown.length === 0
      ? [`Token ${id} shows no excerpt with a proof.`]
      : rows([['Mark', mark], ...shown.map((it) => [it.pointer, it.value] as const)]),
})

/** Shows the events of a token. */
export const history = tokenRead({
  about: 'Shows everything that happened to a token, oldest first.',
  options: pageOptions,
  examples: {
    'Show mints, prices, sales and rentals:': 'heirloom history 7',
  },
  ask: ({ client, options, signal }, id) => client.history(id, readPage(options), { signal }),
  show: ({ items, next }) => [...mintsFirst(items).map((it) => eventText(it)), ...moreLine(next)],
})

/** Puts a mint before the transfer of its token, which the contract reports first. */
const mintsFirst = <T extends { readonly kind: string; readonly txHash: string }>(
  events: readonly T[],
): readonly T[] =>
  [...Map.groupBy(events, ({ txHash }) => txHash).values()].flatMap((all) =>
    all.toSorted((one, other) => Number(other.kind === 'mint') - Number(one.kind === 'mint')),
  )

/** Shows who rents a token. */
export const rentals = tokenRead({
  about: 'Shows who rents a token now, and until when.',
  examples: {
    'Show the renters of a token:': 'heirloom rentals 7',
  },
  ask: ({ client, signal }, id) => client.rentals(id, { signal }),
  show: ({ items }, id) =>
    items.length === 0
      ? [`Nobody rents token ${id} now.`]
      : rows(items.map((it) => [it.renter, `until ${timeText(it.expiresAt)}`] as const)),
})

/** Shows the ratings of a token. */
export const ratings = tokenRead({
  about: 'Shows how the accounts that paid for a token rated it, the newest first.',
  options: { ...pageOptions, ...screenedOption },
  examples: {
    'Show the ratings of a token:': 'heirloom ratings 7',
  },
  ask: async (call, id) => {
    const { client, options, signal } = call
    const found = await client.ratings(id, readPage(options), { signal })
    const { value: items } = await holdTexts(call, client, found.items)
    await noteHeld(call, heldOf(items, found.items))
    return { ...found, items }
  },
  show: ({ counts, items, next }, id) => {
    const rated = scoreAverage(counts)
    return [
      rated === undefined ? `Nobody who paid has rated token ${id} yet.` : describeAverage(rated),
      ...items.flatMap(ratingLines),
      ...moreLine(next),
    ]
  },
})

/** Counts the comments that were held back; the text that was signed repeats each. */
const heldOf = (shown: readonly Rating[], found: readonly Rating[]): number =>
  shown.filter(
    ({ comment, message }, at) => comment !== found[at]?.comment || message !== found[at]?.message,
  ).length

const ratingLines = ({ score, account, act, ratedAt, comment }: Rating): readonly string[] => [
  `${score} of 5  ${account}  ${act}  ${timeText(ratedAt)}`,
  ...(comment === '' ? [] : comment.split('\n').map((line) => `    ${line}`)),
]

/** Checks the sealed bytes of a token. */
export const integrity = tokenRead({
  about: 'Checks that the server has the sealed bytes of a token, and that they are unchanged.',
  more: ['Opens nothing and needs no wallet. Exits with 1 when the bytes are missing or changed.'],
  examples: {
    'Check the memory of a token:': 'heirloom integrity 7',
  },
  ask: ({ client, signal }, id) => client.integrity(id, { signal }),
  show: ({ tokenId, present, bytes, matches }) =>
    rows([
      ['Token', tokenId],
      ['Stored', present ? `yes, ${bytes ?? 0} sealed bytes` : 'no'],
      ['Unchanged', matches ? 'yes' : 'no'],
    ]),
  exitCode: ({ matches }) => (matches ? 0 : 1),
})
