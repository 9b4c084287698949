import type { Hex } from 'viem'
import type { Listing } from '../../../src/client/responses.ts'
import { readNow } from '../api/get-json.ts'
import { isSameAccount } from '../text/account.ts'
import type { CurrencyKind } from '../text/amount.ts'
import { formatExactTime } from '../text/moment.ts'
import { type Terms, termsOf } from './listing-terms.ts'
import type { UnmintedSeal } from './unminted-seals.ts'

type Of = { readonly tokenId: string }

/** Amounts are decimal strings, in the smallest unit of this currency. */
type Paid = { readonly currency: CurrencyKind }

type Offered = Of & Paid & { readonly seller: string }

type Buy = Offered & { readonly kind: 'buy'; readonly price: string }

type Rent = Offered & { readonly kind: 'rent'; readonly perDay: string; readonly days: number }

type Fork = Offered & { readonly kind: 'fork'; readonly price: string; readonly royaltyBps: number }

type Royalty = Of &
  Paid & { readonly kind: 'royalty'; readonly amount: string; readonly creator: string }

/** An act that a wallet can perform. */
export type Act =
  | Buy
  | Rent
  | Fork
  | Royalty
  | (Of & { readonly kind: 'list'; readonly terms: Terms })
  | (Of & { readonly kind: 'take-down' })
  | (Of & { readonly kind: 'transfer'; readonly to: `0x${string}` })
  | (Paid & { readonly kind: 'withdraw'; readonly amount: string })
  | { readonly kind: 'mint'; readonly seal: UnmintedSeal }
  | HeirAct

/** An act that pays somebody. */
export type Payment = Buy | Rent | Fork | Royalty

/** Returns whether an act pays somebody. */
const isPayment = (act: Act): act is Payment =>
  act.kind === 'buy' || act.kind === 'rent' || act.kind === 'fork' || act.kind === 'royalty'

/** Returns whether an act pays in dollars, and is therefore an order. */
export const isOrder = (act: Act): act is Payment => isPayment(act) && act.currency === 'dollar'

/** Returns the currency that an act is in; native for one that has no amount. */
export function getCurrency(act: Act): CurrencyKind {
  if (act.kind === 'list') return act.terms.currency
  return isPayment(act) || act.kind === 'withdraw' ? act.currency : 'native'
}

/** Returns the payment of an act in its currency, without the network fee. */
export function getPayment(act: Act): bigint {
  if (act.kind === 'buy' || act.kind === 'fork') return BigInt(act.price)
  if (act.kind === 'rent') return BigInt(act.perDay) * BigInt(act.days)
  return act.kind === 'royalty' ? BigInt(act.amount) : 0n
}

/** The result of an act, as the logs of its receipt say. */
export type ActResult = {
  /** The token that a fork or a mint minted. */
  readonly minted?: string | undefined
  /** The second in which a rental ends. */
  readonly rentedUntil?: number | undefined
}

/** Describes the result of an act that succeeded. */
export function describeResult(act: Act, { minted, rentedUntil }: ActResult): string {
  const end = rentedUntil === undefined ? 'the rental ends' : formatExactTime(rentedUntil)
  const sentences: { readonly [kind in Act['kind']]: (no: string) => string } = {
    buy: (no) => `${no} is yours.`,
    rent: (no) => `You can open ${no} until ${end}.`,
    fork: (no) =>
      `You have forked ${no}${minted === undefined ? '' : `: your fork is No. ${minted}`}.`,
    list: (no) => `${no} is listed.`,
    'take-down': (no) => `${no} is no longer listed.`,
    transfer: (no) => `${no} is transferred.`,
    royalty: (no) => `The creator of ${no} was paid.`,
    withdraw: () => 'The credit is in your wallet.',
    mint: () =>
      `Minted${minted === undefined ? '' : ` as No. ${minted}`}: you are its creator and its owner.`,
    'name-heir': () => 'Your heir is named. This was a sign of life, too.',
    'clear-heir': () => 'You have no heir.',
    heartbeat: () => 'You gave a sign of life. The silence starts anew.',
    'announce-takeover': () => 'The takeover is announced, and the notice runs.',
    'take-over': () => 'The memories are yours.',
    'take-over-credit': () => 'The credit is yours. You can withdraw it under My memories.',
  }
  return sentences[act.kind]('tokenId' in act ? `No. ${act.tokenId}` : '')
}

type OfAccount = { readonly account: Hex }

/** An act of an account that has an heir, or of that heir. */
export type HeirAct =
  | {
      readonly kind: 'name-heir'
      readonly heir: Hex
      readonly silenceDays: number
      readonly noticeDays: number
    }
  | { readonly kind: 'clear-heir' }
  | { readonly kind: 'heartbeat' }
  | (OfAccount & { readonly kind: 'announce-takeover' })
  | (OfAccount & { readonly kind: 'take-over'; readonly tokenIds: readonly string[] })
  | (OfAccount & { readonly kind: 'take-over-credit' })

/** Describes what each act does. */
export const heirDescriptions: { readonly [kind in HeirAct['kind']]: string } = {
  'name-heir':
    'Everybody can see this. The heir gets nothing now: it may take over your memories and your credit after the silence and the notice, unless you give a sign of life. Any heir before is replaced.',
  'clear-heir': 'Nobody can take over your memories any more, and a takeover under way ends.',
  heartbeat: 'It ends a takeover under way, and your silence starts anew.',
  'announce-takeover':
    'Everybody can see this. The notice starts now. Any sign of life of the account ends the takeover.',
  'take-over':
    'You become the owner, for good. Listings end; current rentals continue until they expire.',
  'take-over-credit': 'Payments that the account could not receive become yours to withdraw.',
}

/** Returns whether an act is about heirs. */
export const isHeirAct = (act: { readonly kind: string }): act is HeirAct =>
  act.kind in heirDescriptions

/** An act that pays a seller. */
export type Purchase = Extract<Act, { readonly seller: string }>

/** Returns whether an act pays a seller. */
export const isPurchase = (act: Act): act is Purchase => 'seller' in act

/** Returns whether an act would pay an account for its own token. */
export const isOwnPurchase = (act: Act, account: string | undefined): act is Purchase =>
  isPurchase(act) && isSameAccount(act.seller, account)

/**
 * Returns a purchase at the current terms of its listing; an act without a seller stays, and so does
 * one that is no longer offered.
 */
export async function updateTerms(act: Act): Promise<Act> {
  if (!isPurchase(act)) return act
  const listing = await readNow('listing', { tokenId: act.tokenId })
  const updated = applyTerms(act, listing)
  return JSON.stringify(updated) === JSON.stringify(act) ? act : updated
}

/** Applies the terms of a listing to a purchase. */
export function applyTerms(act: Purchase, listing: Listing): Purchase {
  const { seller, totalRoyaltyBps: royaltyBps } = listing
  const { currency, price, rentalPricePerDay: perDay, forkPrice } = termsOf(listing)
  switch (act.kind) {
    case 'buy':
      return price === '0' ? act : { ...act, currency, seller, price }
    case 'rent':
      return perDay === '0' ? act : { ...act, currency, seller, perDay }
    case 'fork':
      return forkPrice === '0' ? act : { ...act, currency, seller, price: forkPrice, royaltyBps }
  }
}
