import { Failure, tokenId, wei } from '@heirloom/core'
import type { ForkInput } from '../../client/requests.ts'
import type { Client } from '../../client/client.ts'
import { isHeirloomError } from '../../client/heirloom-error.ts'
import type { Listing, Written } from '../../client/responses.ts'
import { amountText, readAmount } from '../arguments/read-amount.ts'
import type { Call, Options } from '../arguments/command.ts'
import { connectAs, readAccount, readToken } from '../connection/connect.ts'
import type { Answer } from '../terminal/output.ts'
import { rows } from '../terminal/rows.ts'
import { approved, payOptions, rehearsed, type Share } from '../connection/dry-run.ts'
import { isAnswered } from '../terminal/terminal.ts'
import { UsageError } from '../arguments/usage-error.ts'

/** What buy, rent and fork take. */
export const acquireOptions = {
  'max-price': {
    type: 'string',
    value: 'AMOUNT',
    about: 'The most that may be paid for all of it, as in 0.01ether; whole wei without a unit.',
  },
  recipient: {
    type: 'string',
    value: 'ADDRESS',
    about: "Who receives it; your wallet when absent, or the server's where you have none.",
  },
  ...payOptions,
} as const satisfies Options

type AcquireCall = Call<'ID', typeof acquireOptions>

/** A way to acquire a token. */
export type Offer<Value extends Written> = {
  readonly verb: 'buy' | 'rent' | 'fork'
  /** What all of it costs; nothing where the token is not offered that way. */
  readonly price: (listing: Listing) => bigint
  readonly notOffered: 'listing/not-for-sale' | 'listing/not-for-rent' | 'listing/not-for-fork'
  /** The most that all royalties of what is acquired may take of its prices, in basis points. */
  readonly royalty?: (id: string, listing: Listing | undefined) => number | undefined
  /** What is sent beside the price and the recipient. */
  readonly body?: object
  readonly send: (client: Client, id: string, input: ForkInput) => Promise<Value>
  /** What a person is told of it. */
  readonly said: (id: string, value: Value) => readonly [string, string]
}

/** Acquires a token at the price that its listing tells, or tells how it would. */
export async function acquire<Value extends Written>(
  call: AcquireCall,
  offer: Offer<Value>,
): Promise<number> {
  await call.output.answer(await acquired(call, offer))
  return 0
}

async function acquired<Value extends Written>(
  call: AcquireCall,
  offer: Offer<Value>,
): Promise<Answer> {
  const { options, signal } = call
  const id = readToken('ID', call.words.ID)
  const limit = limitOf(call, offer.verb)
  const given = options.recipient && readAccount('--recipient', options.recipient)
  const { client, account } = await connectAs(call)
  const recipient = recipientOf(given || account?.address)
  // The server answers a key as it did at first, if it is sent the same: whatever is offered by now.
  const repeatable = options['idempotency-key'] === undefined ? undefined : limit
  if (repeatable !== undefined && !options['dry-run']) {
    const input = { maxPrice: repeatable, ...recipient, ...royaltyOf(offer, id) }
    return settled(call, offer, { client, id, input })
  }
  const listing = await client.listing(id, { signal })
  const price = priceWithin(offer, id, listing, limit)
  // What is repeatable is sent the same each time, whatever the listing shows by then.
  const royalty = royaltyOf(offer, id, repeatable === undefined ? listing : undefined)
  const input = { maxPrice: repeatable ?? price, ...recipient, ...royalty }
  if (!options['dry-run']) return settled(call, offer, { client, id, input, price })
  const path = `/api/marketplace/${offer.verb}/${id}`
  const shares = await sharesOf(client, { id, price, seller: listing.seller, signal })
  return rehearsed(client, { path, body: { ...offer.body, ...input }, price, shares }, signal)
}

type Order = {
  readonly client: Client
  readonly id: string
  readonly input: ForkInput & { readonly maxPrice: bigint }
  /** What it costs, where that was read. */
  readonly price?: bigint
}

async function settled<Value extends Written>(
  call: AcquireCall,
  { verb, send, said }: Offer<Value>,
  { client, id, input, price }: Order,
): Promise<Answer> {
  const sum = price === undefined ? `at most ${amountText(input.maxPrice)}` : amountText(price)
  await approved(call, `${capital(verb)} token ${id} for ${sum}${owing(input)}?`)
  const value = await send(client, id, input)
  const lines = [said(id, value), ['Transaction', value.txHash]] as const
  if (price === undefined) return { value, lines: rows(lines) }
  return { value: { ...value, price }, lines: rows([...lines, ['Paid', amountText(price)]]) }
}

/** Returns the member of the input that limits royalties, where an offer has any. */
function royaltyOf(
  { royalty }: Pick<Offer<Written>, 'royalty'>,
  id: string,
  listing?: Listing,
): Pick<ForkInput, 'maxRoyaltyBps'> {
  const maxRoyaltyBps = royalty?.(id, listing)
  return maxRoyaltyBps === undefined ? {} : { maxRoyaltyBps }
}

const owing = ({ maxRoyaltyBps }: ForkInput) =>
  maxRoyaltyBps === undefined ? '' : `, owing at most ${maxRoyaltyBps / 100} % of its prices`

const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

/** Reads the most that may be paid; where nobody can be asked, it or `--yes` must be there. */
function limitOf({ terminal, output, options }: AcquireCall, verb: string): bigint | undefined {
  const { 'max-price': text, yes, 'dry-run': dry } = options
  if (text !== undefined) return readAmount('--max-price', text)
  if (yes || dry || (isAnswered(terminal) && !output.json)) return undefined
  throw new UsageError(
    `Nobody can be asked here: ${verb} needs --max-price, or --yes for whatever it costs.`,
  )
}

function priceWithin(
  { price: priceOf, notOffered }: Pick<Offer<Written>, 'price' | 'notOffered'>,
  id: string,
  listing: Listing,
  limit: bigint | undefined,
): bigint {
  const price = priceOf(listing)
  if (price === 0n) throw new Failure(notOffered, { tokenId: tokenId(id) })
  if (limit === undefined || price <= limit) return price
  throw new Failure('listing/over-max-price', {
    ...{ tokenId: tokenId(id), price: wei(price), maxPrice: wei(limit) },
  })
}

const recipientOf = (recipient: `0x${string}` | undefined) => recipient && { recipient }

type Sale = {
  readonly id: string
  readonly price: bigint
  readonly seller: string
  readonly signal: AbortSignal
}

async function sharesOf(client: Client, { id, price, seller, signal }: Sale): Promise<Share[]> {
  const lineage = await client.lineage(id, { price }, { signal }).catch(unlessUnknown)
  // The catalogue follows the chain, and does not know yet of what was minted a moment ago.
  if (lineage === undefined) return []
  const { split } = lineage
  const royalties = split.royalties.map(({ to, amount, tokenId: of }) => ({
    ...{ to, amount, why: `a royalty for token ${of}` },
  }))
  return [...royalties, { to: seller, amount: split.rest, why: 'the seller' }]
}

function unlessUnknown(error: unknown): undefined {
  if (!isHeirloomError(error, 'token/not-found')) throw error
}
