import { dollars, Failure, tokenId, wei } from '@heirloom/core'
import type { Client } from '../../client/client.ts'
import type { Listing } from '../../client/responses.ts'
import type { OwnForkInput } from '../../wallet/wallet.ts'
import type { Price } from '../arguments/read-amounts.ts'
import { priceText } from '../terminal/value-text.ts'

/** Returns the total price of an offer from the prices of a listing; 0 when it is not offered. */
export type PricesOf = (
  prices: Pick<Listing, 'price' | 'rentalPricePerDay' | 'forkPrice'>,
) => bigint

/** The price of an offer, and the dollar of the contracts if it is in dollars. */
export type OfferedPrice = Price & { readonly asset?: string | undefined }

type Request = {
  readonly id: string
  readonly price: PricesOf
  readonly notOffered: 'listing/not-for-sale' | 'listing/not-for-rent' | 'listing/not-for-fork'
  readonly limit: Price | undefined
  /** Whether the wallet that pays can pay dollars; that of the server pays wei only. */
  readonly paysDollars: boolean
}

/**
 * Returns the price of an offer, in the currency of its listing.
 *
 * @throws `listing/currency-changed`, `listing/over-max-price`, or that it is not offered
 */
export function offeredPrice(listing: Listing, request: Request): OfferedPrice {
  const { id, limit, paysDollars, notOffered } = request
  const price = priceIn(listing, request.price)
  if (price.amount === 0n) throw new Failure(notOffered, { tokenId: tokenId(id) })
  const accepted = limit?.currency ?? (paysDollars ? price.currency : 'native')
  if (accepted !== price.currency) {
    throw new Failure('listing/currency-changed', { tokenId: tokenId(id) })
  }
  if (limit === undefined || price.amount <= limit.amount) return price
  throw overLimit(id, price, limit)
}

function priceIn(listing: Listing, priceOf: PricesOf): OfferedPrice {
  const { dollars: prices } = listing
  const amount = prices === undefined ? 0n : priceOf(prices)
  if (amount > 0n) return { currency: 'dollar', amount, asset: prices?.asset }
  return { currency: 'native', amount: priceOf(listing) }
}

function overLimit(id: string, { currency, amount }: Price, limit: Price): Failure {
  const of = tokenId(id)
  if (currency === 'native') {
    const facts = { tokenId: of, price: wei(amount), maxPrice: wei(limit.amount) }
    return new Failure('listing/over-max-price', facts)
  }
  const facts = { tokenId: of, price: dollars(amount), maxPrice: dollars(limit.amount) }
  return new Failure('listing/over-max-price', { ...facts, currency })
}

/** Returns a price as a person reads it. */
export const textOf = ({ currency, amount }: Price): string => priceText(currency, amount)

/** Returns a price as listings have it: one in dollars stands beside 0 wei. */
export const printPrice = ({ currency, amount, asset }: OfferedPrice) =>
  currency === 'native' ? { price: amount } : { price: 0n, dollars: { asset, price: amount } }

/** Returns the limit of a price for the request. */
export const boundOf = ({
  currency,
  amount,
}: Price): Pick<OwnForkInput, 'maxPrice' | 'maxDollars'> =>
  currency === 'native' ? { maxPrice: amount } : { maxDollars: amount }

/** A purchase or rental that is about to be paid. */
type Acquisition = {
  readonly verb: 'buy' | 'rent' | 'fork'
  readonly id: string
  readonly seller: string
  /** The receiver; the wallet of the server when absent. */
  readonly recipient: string | undefined
  readonly signal: AbortSignal
}

/**
 * Returns a warning when the receiver of a purchase or a rental already owns the token; `undefined`
 * otherwise. A fork of an own token is a new token, so it needs no warning.
 */
export async function ownTokenWarning(
  client: Client,
  { verb, id, seller, recipient, signal }: Acquisition,
): Promise<string | undefined> {
  if (verb === 'fork') return undefined
  const receiver = recipient ?? (await client.deployment({ signal })).agent
  if (receiver.toLowerCase() !== seller.toLowerCase()) return undefined
  return verb === 'buy'
    ? `Token ${id} already belongs to ${receiver}: buying it changes nothing, and costs fees and royalties.`
    : `Token ${id} belongs to ${receiver}, which can open it without renting it.`
}
