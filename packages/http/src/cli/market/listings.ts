import { account, Failure, noPrices, tokenId } from '@heirloom/core'
import { pathOf } from '../../api/operations/paths.ts'
import type { ListInput } from '../../client/requests.ts'
import type { Listing } from '../../client/responses.ts'
import { type Call, command, type NamedOptions, UsageError } from '../arguments/command.ts'
import { joinWords } from '../arguments/read-call.ts'
import {
  type GivenTerms,
  readGivenTerms,
  readRoyalty,
  termsOptions,
  toTerms,
} from '../arguments/read-terms.ts'
import { readTokenId } from '../arguments/read-values.ts'
import { dryRun, ownDryRun } from '../connection/dry-run.ts'
import { connectWriter, readListing, type Writer, writeOptions } from '../connection/writer.ts'
import { termsText } from '../terminal/market-text.ts'
import type { Line } from '../terminal/output.ts'
import { promptConfirm } from '../terminal/prompt.ts'
import { canPrompt } from '../terminal/terminal.ts'
import { rows } from '../terminal/value-text.ts'

/** Each kind of offer, by the name of its price. */
const kinds = [
  ['price', 'sale'],
  ['rentalPricePerDay', 'rent'],
  ['forkPrice', 'fork'],
] as const

type Prices = Pick<ListInput, 'price' | 'rentalPricePerDay' | 'forkPrice' | 'dollars'>

/** Returns the kinds of offers that a listing has, and new terms have not. */
const takenDown = (before: Listing, after: Prices): readonly string[] =>
  kinds
    .filter(([price]) => isOffered(before, price) && !isOffered(after, price))
    .map(([, kind]) => kind)

const isOffered = (terms: Prices, price: (typeof kinds)[number][0]): boolean =>
  BigInt(terms[price]) > 0n || BigInt(terms.dollars?.[price] ?? 0) > 0n

type ConfirmCall = Pick<Call<never, NamedOptions<'yes'>>, 'terminal' | 'output' | 'options'>

/**
 * Asks a person before offers are taken down; without one, requires `--yes`.
 *
 * @throws `Declined`, a `UsageError`
 */
async function confirmTakeDown(
  { terminal, output, options }: ConfirmCall,
  { id, down }: { readonly id: string; readonly down: readonly string[] },
): Promise<void> {
  if (down.length === 0 || options.yes) return
  const problem = takeDownText(id, down)
  if (canPrompt(terminal) && !output.json) return promptConfirm(terminal, `${problem} Go on?`)
  throw new UsageError(
    `${problem} Pass --yes if that is meant, or keep them with heirloom offer ${id}.`,
  )
}

/** Returns what new terms end, as a sentence. */
const takeDownText = (id: string, down: readonly string[]): string =>
  `The new terms end the offer of token ${id} for ${joinWords(down, 'and')}.`

/** Lists a token. */
export const list = command({
  about: "Lists a token of the server's wallet, or of yours, for sale, rent or fork.",
  more: [
    'Amounts are as in 0.01ether, or 5usd for the dollar of the contracts; whole wei without a unit. All prices are in one currency.',
    'The new terms replace earlier ones: an offer without a price here ends, and the command asks before that. heirloom offer adds to a listing, and heirloom unlist takes it down.',
  ],
  words: [{ name: 'ID', about: 'The token.' }],
  options: {
    ...termsOptions,
    yes: { type: 'boolean', short: 'y', about: 'Do not ask before earlier offers end.' },
    ...writeOptions,
  },
  examples: {
    'Offer it for sale, rent and fork:':
      'heirloom list 7 --price 0.01ether --rent 0.001ether --fork-price 0.02ether --royalty 5%',
    'Offer it for dollars, and for fork no longer:':
      'heirloom list 7 --price 5usd --rent 0.25usd --yes',
    'Show the fees of listing a token of your own wallet:':
      'heirloom list 7 --price 0.01ether --as-wallet --dry-run',
  },
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const terms = toTerms(readGivenTerms(call.options), readRoyalty(call.options) ?? 0)
    const offers = termsText(terms)
    if (offers.length === 0) throw unpricedList(id)
    const signer = await connectWriter(call)
    const down = takenDown(await readListing(signer, id, call.signal), terms)
    if (!call.options['dry-run']) await confirmTakeDown(call, { id, down })
    const done = [['Listed', `token ${id}`], ...offers] as const
    const warning = down.length === 0 ? undefined : takeDownText(id, down)
    await writeListing(call, signer, { body: { tokenId: id, ...terms }, done, warning })
  },
})

const unpricedList = (id: string) =>
  new UsageError(
    `heirloom list needs a price: --price, --rent or --fork-price. To take the listing down: heirloom unlist ${id}`,
  )

/** Adds offers to the listing of a token. */
export const offer = command({
  about: 'Adds an offer to the listing of a token, or changes its price; other offers stay.',
  more: [
    'Amounts are as in 0.01ether, or 5usd for the dollar of the contracts; whole wei without a unit. All offers of a token are in one currency.',
  ],
  words: [{ name: 'ID', about: 'The token.' }],
  options: { ...termsOptions, ...writeOptions },
  examples: {
    'Offer it for sale:': 'heirloom offer 7 --price 0.01ether',
    'Offer it for fork as well:': 'heirloom offer 7 --fork-price 0.02ether --royalty 5%',
    'Show what would be sent:': 'heirloom offer 7 --rent 0.001ether --dry-run',
  },
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const given = readGivenTerms(call.options)
    const royalty = readRoyalty(call.options)
    if (Object.values(given.prices).every((price) => price === 0n)) throw unpricedOffer(id)
    const signer = await connectWriter(call)
    const before = await readListing(signer, id, call.signal)
    const prices = joined(id, before, given)
    const terms = toTerms({ ...given, prices }, royalty ?? before.forkRoyaltyBps)
    const done = [['Listed', `token ${id}`], ...termsText(terms)] as const
    await writeListing(call, signer, { body: { tokenId: id, ...terms }, done })
  },
})

const unpricedOffer = (id: string) =>
  new UsageError(
    `heirloom offer needs a price above 0: --price, --rent or --fork-price. To take the listing down: heirloom unlist ${id}`,
  )

/** Returns the given prices, and those of the listing where none is given. */
function joined(id: string, before: Listing, { currency, prices }: GivenTerms) {
  const { dollars } = before
  const native = [before.price, before.rentalPricePerDay, before.forkPrice]
  const isOther = currency === 'native' ? dollars !== undefined : native.some((it) => it !== '0')
  if (isOther) {
    throw new UsageError(
      `Token ${id} has offers in the other currency, which end with this one: heirloom list ${id} replaces them.`,
    )
  }
  const earlier = currency === 'native' ? before : dollars
  const priceOf = (name: keyof GivenTerms['prices']) =>
    prices[name] > 0n ? prices[name] : BigInt(earlier?.[name] ?? 0)
  return {
    price: priceOf('price'),
    rentalPricePerDay: priceOf('rentalPricePerDay'),
    forkPrice: priceOf('forkPrice'),
  }
}

/** Takes down the listing of a token. */
export const unlist = command({
  about: 'Takes a listing down: the token is no longer for sale, rent or fork.',
  more: ['Rentals that were paid go on until their end.'],
  words: [{ name: 'ID', about: 'The token.' }],
  options: writeOptions,
  examples: {
    'Take the listing of a token down:': 'heirloom unlist 7',
  },
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const writer = await connectWriter(call)
    const listing = await writer.client.listing(id, { signal: call.signal })
    if (termsText(listing).length === 0)
      return call.output.result({
        value: { tokenId: id, isListed: false },
        lines: [`Token ${id} is not listed; nothing was sent.`],
      })
    const body = { tokenId: id, ...noPrices, forkRoyaltyBps: 0 }
    await writeListing(call, writer, {
      body,
      done: [['Listing removed', `token ${id}`]],
    })
  },
})

/** The terms of a listing, and the lines that say what was written. */
type ListingWrite = {
  readonly body: ListInput
  readonly done: readonly (readonly [string, string])[]
  /** A warning for `--dry-run`. */
  readonly warning?: string | undefined
}

/** Writes the terms of a token, or with `--dry-run` describes it, and prints the result. */
async function writeListing(
  call: Pick<Call<never, typeof writeOptions>, 'options' | 'signal' | 'output'>,
  { client, wallet, writes, options }: Writer,
  { body, done, warning }: ListingWrite,
): Promise<void> {
  if (call.options['dry-run']) {
    await requireOwner({ client, wallet, signal: call.signal }, `${body.tokenId}`)
    const write = { path: pathOf('list'), body, warning }
    const described =
      wallet === undefined
        ? await dryRun(client, write, call.signal)
        : ownDryRun(wallet, { act: 'list', quote: await wallet.quote('list', body), warning })
    return call.output.result(described)
  }
  const value = await writes.list(body, options)
  const lines: readonly Line[] = rows([...done, ['Transaction', value.txHash]])
  await call.output.result({ value: { ...value, ...body }, lines })
}

/** The server, and your own wallet if that signs. */
type Reader = Pick<Writer, 'client' | 'wallet'> & Pick<Call, 'signal'>

/**
 * Requires that the wallet which would list a token owns it, where the server shows its wallet.
 *
 * @throws `listing/not-owner`, `token/not-found`
 */
async function requireOwner({ client, wallet, signal }: Reader, id: string): Promise<void> {
  const { token } = await client.lineage(id, {}, { signal })
  const { owner } = token
  const signer =
    wallet?.address ?? (await client.wallet({ signal }).catch(() => undefined))?.address
  if (signer === undefined || owner.toLowerCase() === signer.toLowerCase()) return
  throw new Failure('listing/not-owner', {
    tokenId: tokenId(BigInt(id)),
    owner: account(owner),
    account: account(signer),
  })
}
