import type { Listed } from '../../../src/client/responses.ts'

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
}

/** Returns the title of an act. */
export function getTitle(act: Act): string {
  const title = titles[act.kind]
  return act.kind === 'withdraw' ? title : `${title} No. ${act.tokenId}`
}

/** Describes the result of an act that succeeded; `child` is the token that a fork minted. */
export function describeResult(act: Act, child: string | undefined): string {
  const sentences: { readonly [kind in Act['kind']]: (no: string) => string } = {
    buy: (no) => `${no} is yours.`,
    rent: (no) => `You can open ${no} until the rental ends.`,
    fork: (no) =>
      `You have forked ${no}${child === undefined ? '' : `: your fork is No. ${child}`}.`,
    list: (no) => `${no} is listed.`,
    'take-down': (no) => `${no} is no longer listed.`,
    royalty: (no) => `The creator of ${no} was paid.`,
    withdraw: () => 'The credit is in your wallet.',
  }
  return sentences[act.kind](act.kind === 'withdraw' ? '' : `No. ${act.tokenId}`)
}
