import type { Listed } from '../../../src/client/responses.ts'
import type { UnmintedSeal } from './unminted-seals.ts'

type Of = { readonly tokenId: string }

/** The terms of a listing, in wei. */
export type Terms = Pick<Listed, 'price' | 'rentalPricePerDay' | 'forkPrice' | 'forkRoyaltyBps'>

/** A transaction that a wallet can send; amounts are decimal strings of wei. */
export type Act =
  | (Of & { readonly kind: 'buy'; readonly price: string; readonly seller: string })
  | (Of & {
      readonly kind: 'rent'
      readonly perDay: string
      readonly days: number
      readonly seller: string
    })
  | (Of & {
      readonly kind: 'fork'
      readonly price: string
      readonly royaltyBps: number
      readonly seller: string
    })
  | (Of & { readonly kind: 'list'; readonly terms: Terms })
  | (Of & { readonly kind: 'take-down' })
  | (Of & { readonly kind: 'royalty'; readonly amount: string; readonly creator: string })
  | { readonly kind: 'withdraw'; readonly amount: string }
  | { readonly kind: 'mint'; readonly seal: UnmintedSeal }

/** Returns the payment of an act in wei, without the network fee. */
export function getPayment(act: Act): bigint {
  if (act.kind === 'buy' || act.kind === 'fork') return BigInt(act.price)
  if (act.kind === 'rent') return BigInt(act.perDay) * BigInt(act.days)
  return act.kind === 'royalty' ? BigInt(act.amount) : 0n
}

const titles: { readonly [kind in Act['kind']]: string } = {
  buy: 'Buy',
  rent: 'Rent',
  fork: 'Fork',
  list: 'List',
  'take-down': 'Take down',
  royalty: 'Pay a royalty to the creator of',
  withdraw: 'Withdraw your credit',
  mint: 'Mint your memory',
}

/** Returns the title of an act. */
export function getTitle(act: Act): string {
  const title = titles[act.kind]
  return 'tokenId' in act ? `${title} No. ${act.tokenId}` : title
}

/** Describes the result of an act that succeeded; `minted` is the token that it minted. */
export function describeResult(act: Act, minted: string | undefined): string {
  const sentences: { readonly [kind in Act['kind']]: (no: string) => string } = {
    buy: (no) => `${no} is yours.`,
    rent: (no) => `You can open ${no} until the rental ends.`,
    fork: (no) =>
      `You have forked ${no}${minted === undefined ? '' : `: your fork is No. ${minted}`}.`,
    list: (no) => `${no} is listed.`,
    'take-down': (no) => `${no} is no longer listed.`,
    royalty: (no) => `The creator of ${no} was paid.`,
    withdraw: () => 'The credit is in your wallet.',
    mint: () =>
      `Minted${minted === undefined ? '' : ` as No. ${minted}`}: you are its creator and its owner.`,
  }
  return sentences[act.kind]('tokenId' in act ? `No. ${act.tokenId}` : '')
}
