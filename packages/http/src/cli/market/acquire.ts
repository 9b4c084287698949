import { pathOf } from '../../api/operations/paths.ts'
import type { Client } from '../../client/client.ts'
import { isHeirloomError } from '../../client/heirloom-error.ts'
import type { Listing, Written } from '../../client/responses.ts'
import type { ActOptions, OwnForkInput, Quote, Wallet } from '../../wallet/wallet.ts'
import { type Call, type Options, UsageError, withValue } from '../arguments/command.ts'
import { type Price, readPrice } from '../arguments/read-amounts.ts'
import { readAddress, readTokenId } from '../arguments/read-values.ts'
import { connect, connectAsAccount } from '../connection/connect.ts'
import { dryRun, ownDryRun, type Share } from '../connection/dry-run.ts'
import { findOwnWallet } from '../connection/own-wallet.ts'
import {
  confirmPayment,
  payOptions,
  readListing,
  type Writer,
  type Writes,
  writesOf,
} from '../connection/writer.ts'
import type { CommandResult } from '../terminal/output.ts'
import { canPrompt } from '../terminal/terminal.ts'
import { rows } from '../terminal/value-text.ts'
import {
  boundOf,
  type OfferedPrice,
  offeredPrice,
  ownTokenWarning,
  type PricesOf,
  printPrice,
  textOf,
} from './offered-price.ts'

/** The options of buy, rent and fork. */
export const acquireOptions = {
  'max-price': withValue(
    'AMOUNT',
    'The highest total price to pay, as in 0.01ether, or 5usd; whole wei without a unit.',
  ),
  recipient: withValue(
    'ADDRESS',
    "The receiver. Default: your wallet, or the server's wallet if you have none.",
  ),
  ...payOptions,
} as const satisfies Options

/** The option of buy and rent for what is owned already. */
export const ownOption = {
  own: { type: 'boolean', about: 'Go on although the receiver owns the token already.' },
} as const satisfies Options

type AcquireCall = Call<'ID', typeof acquireOptions & typeof ownOption>

/** The differences between buy, rent and fork. */
export type Offer<Value extends Written> = {
  readonly verb: 'buy' | 'rent' | 'fork'
  /** Returns the total price in one currency; 0 when the token is not offered this way. */
  readonly price: PricesOf
  readonly notOffered: 'listing/not-for-sale' | 'listing/not-for-rent' | 'listing/not-for-fork'
  /** Returns the highest total royalty to accept, in basis points. */
  readonly royalty?: (id: string, listing: Listing | undefined) => number | undefined
  /** Members of the request besides the price and the recipient. */
  readonly body?: object
  readonly send: (
    writes: Writes,
    id: string,
    input: OwnForkInput,
    options: ActOptions,
  ) => Promise<Value>
  readonly quote: (wallet: Wallet, id: string, input: OwnForkInput) => Promise<Quote>
  /** Returns the first row of the text result. */
  readonly row: (id: string, value: Value) => readonly [string, string]
}

/** Buys, rents or forks a token at its listed price, or describes this with `--dry-run`. */
export async function acquire<Value extends Written>(
  call: AcquireCall,
  offer: Offer<Value>,
): Promise<number> {
  await call.output.result(await acquireToken(call, offer))
  return 0
}

async function acquireToken<Value extends Written>(
  call: AcquireCall,
  offer: Offer<Value>,
): Promise<CommandResult> {
  const { options, signal } = call
  const id = readTokenId('ID', call.words.ID)
  const limit = readLimit(call, offer.verb)
  const given = options.recipient && readAddress('--recipient', options.recipient)
  const { client, account, wallet } = await connectSigner(call)
  const recipient = recipientOf(given || account?.address)
  const wish = { client, wallet, id, limit, recipient }
  // With the same key and the same request the server repeats its first response, whatever the
  // listing says by then. So the request holds the limit, and not the price of the moment.
  const isRepeatable = options['idempotency-key'] !== undefined && limit !== undefined
  if (isRepeatable && !options['dry-run']) return sendUpTo(call, offer, { ...wish, limit })
  const listing = await readListing({ client, wallet }, id, signal)
  const offered = { ...offer, id, limit, paysDollars: wallet !== undefined }
  const isUnclear = mayBePaid(call, offer.royalty, () => offeredPrice(listing, offered))
  if (limit !== undefined && isUnclear) return sendUpTo(call, offer, { ...wish, limit })
  const price = offeredPrice(listing, offered)
  return acquireAt(call, offer, { ...wish, isRepeatable, listing, price })
}

type Wish = Signer & {
  readonly id: string
  readonly limit: Price | undefined
  readonly recipient: Pick<OwnForkInput, 'recipient'> | undefined
}

/** Sends what is wanted with its limit alone. */
const sendUpTo = <Value extends Written>(
  call: AcquireCall,
  offer: Offer<Value>,
  { recipient, limit, ...wish }: Wish & { readonly limit: Price },
): Promise<CommandResult> => {
  const input = { ...boundOf(limit), ...recipient, ...royaltyOf(offer, wish.id) }
  return send(call, offer, { ...wish, limit, input })
}

type PricedWish = Wish & {
  readonly isRepeatable: boolean
  readonly listing: Listing
  readonly price: OfferedPrice
}

async function acquireAt<Value extends Written>(
  call: AcquireCall,
  offer: Offer<Value>,
  { client, wallet, id, limit, recipient, isRepeatable, listing, price }: PricedWish,
): Promise<CommandResult> {
  const bound = isRepeatable && limit !== undefined ? limit : price
  const royalty = royaltyOf(offer, id, isRepeatable ? undefined : listing)
  const input = { ...boundOf(bound), ...recipient, ...royalty }
  const { seller } = listing
  const { signal, options } = call
  const facts = { verb: offer.verb, id, seller, recipient: recipient?.recipient, signal }
  const warning = await ownTokenWarning(client, facts)
  if (warning !== undefined && !options.own && !options['dry-run']) {
    throw new UsageError(`${warning} Pass --own to ${offer.verb} it all the same.`)
  }
  const order = { client, wallet, id, input, limit: price, price, warning }
  return options['dry-run']
    ? describe(call, offer, { ...order, price, seller })
    : send(call, offer, order)
}

/**
 * Returns whether your own wallet may have paid although the listing does not offer it: before the answer
 * of an earlier command, which this one repeats. The wallet knows, and throws the same failure otherwise.
 */
function mayBePaid(
  { options }: AcquireCall,
  royalty: unknown,
  readPrice: () => OfferedPrice,
): boolean {
  // A fork ends no listing, and without one it would have no limit of its royalties.
  if (!options['as-wallet'] || options['dry-run'] || royalty !== undefined) return false
  try {
    readPrice()
    return false
  } catch {
    return true
  }
}

/** Describes an order that is not sent. */
async function describe<Value extends Written>(
  { signal }: AcquireCall,
  offer: Offer<Value>,
  { client, wallet, id, input, price, warning, seller }: PricedOrder,
): Promise<CommandResult> {
  const { verb } = offer
  const { amount } = price
  const shares = await sharesOf(client, { id, price: amount, seller, signal })
  if (wallet !== undefined) {
    const quote = await offer.quote(wallet, id, input)
    return ownDryRun(wallet, { act: verb, quote, shares, warning })
  }
  const path = pathOf(verb, { tokenId: id })
  const write = { path, body: { ...offer.body, ...input }, price: amount, shares, warning }
  return dryRun(client, write, signal)
}

/** Returns the account that receives, and your own wallet if it signs. */
async function connectSigner(call: AcquireCall) {
  const wallet = await findOwnWallet(call)
  if (wallet === undefined) return { ...(await connectAsAccount(call)), wallet }
  return { client: await connect(call), account: wallet, wallet }
}

type Signer = Pick<Writer, 'client' | 'wallet'>

type Order = Signer & {
  readonly id: string
  readonly input: OwnForkInput
  /** The most that is paid. */
  readonly limit: Price
  /** The listed price, if it was read. */
  readonly price?: OfferedPrice
  /** A warning to show before anything is paid. */
  readonly warning?: string | undefined
}

type PricedOrder = Order & { readonly price: OfferedPrice; readonly seller: string }

async function send<Value extends Written>(
  call: AcquireCall,
  offer: Offer<Value>,
  { id, input, limit, price, warning, ...signer }: Order,
): Promise<CommandResult> {
  if (warning !== undefined) await call.output.note([{ style: 'yellow', text: warning }])
  const sum = price === undefined ? `at most ${textOf(limit)}` : textOf(price)
  await confirmPayment(
    call,
    `${capitalize(offer.verb)} token ${id} for ${sum}${royaltyText(input)}${payerText(signer)}?`,
  )
  const { writes, options } = writesOf(call, signer)
  const value = await offer.send(writes, id, input, options)
  const lines = [offer.row(id, value), ['Transaction', value.txHash]] as const
  if (price === undefined) return { value, lines: rows(lines) }
  const paid = { ...value, ...printPrice(price) }
  return { value: paid, lines: rows([...lines, ['Paid', textOf(price)]]) }
}

/** Returns the limit of royalties for the request, if the offer has one. */
function royaltyOf(
  { royalty }: Pick<Offer<Written>, 'royalty'>,
  id: string,
  listing?: Listing,
): Pick<OwnForkInput, 'maxRoyaltyBps'> {
  const maxRoyaltyBps = royalty?.(id, listing)
  return maxRoyaltyBps === undefined ? {} : { maxRoyaltyBps }
}

const royaltyText = ({ maxRoyaltyBps }: OwnForkInput) =>
  maxRoyaltyBps === undefined
    ? ''
    : `, with royalties of at most ${maxRoyaltyBps / 100} % of its prices`

const payerText = ({ wallet }: Pick<Writer, 'wallet'>) =>
  wallet === undefined ? '' : ` from your wallet ${wallet.address}`

const capitalize = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

/** Reads the limit of the price. Requires it, or `--yes`, when no person can confirm. */
function readLimit({ terminal, output, options }: AcquireCall, verb: string): Price | undefined {
  const { 'max-price': text, yes, 'dry-run': dry, 'as-wallet': isOwn } = options
  const limit = text === undefined ? undefined : readPrice('--max-price', text)
  if (limit?.currency === 'dollar' && !isOwn) {
    throw new UsageError("--max-price in dollars needs --as-wallet: the server's wallet pays none.")
  }
  if (limit || yes || dry || (canPrompt(terminal) && !output.json)) return limit
  throw new UsageError(
    `No terminal to confirm on. heirloom ${verb} needs --max-price AMOUNT, or --yes to accept any price.`,
  )
}

const recipientOf = (recipient: `0x${string}` | undefined) => recipient && { recipient }

type Sale = {
  readonly id: string
  readonly price: bigint
  readonly seller: string
  readonly signal: AbortSignal
}

async function sharesOf(client: Client, { id, price, seller, signal }: Sale): Promise<Share[]> {
  const lineage = await client.lineage(id, { price }, { signal }).catch(ignoreNotFound)
  // The catalogue indexes the chain with a delay, and may not have a new token yet.
  if (lineage === undefined) return []
  const { split } = lineage
  const royalties = split.royalties.map(({ to, amount, tokenId: of }) => ({
    to,
    amount,
    why: `a royalty for token ${of}`,
  }))
  return [...royalties, { to: seller, amount: split.rest, why: 'the seller' }]
}

function ignoreNotFound(error: unknown): undefined {
  if (!isHeirloomError(error, 'token/not-found')) throw error
}
