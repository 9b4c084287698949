import type { Listed } from '../../../src/client/responses.ts'

type Of = { readonly tokenId: string }

/** What an owner asks, in wei. */
export type Terms = Pick<Listed, 'price' | 'rentalPricePerDay' | 'forkPrice' | 'forkRoyaltyBps'>

/** Something that a wallet does on the chain; amounts are decimal strings of wei. */
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

/** Returns what an act pays, without the network's fee. */
export function worthOf(act: Act): bigint {
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
  royalty: 'Pay a royalty to the maker of',
  withdraw: 'Withdraw what waits for you',
}

/** Returns what an act is called. */
export function titleOf(act: Act): string {
  const title = titles[act.kind]
  return act.kind === 'withdraw' ? title : `${title} No. ${act.tokenId}`
}

/** Returns what has become of an act that succeeded; a fork made a child. */
export function doneOf(act: Act, child: string | undefined): string {
  const sentences: { readonly [kind in Act['kind']]: (no: string) => string } = {
    buy: (no) => `${no} is yours.`,
    rent: (no) => `${no} is open to you for as long as you rented it.`,
    fork: (no) => `You have a fork of ${no}${child === undefined ? '' : `: No. ${child}`}.`,
    list: (no) => `${no} is listed.`,
    'take-down': (no) => `${no} is no longer listed.`,
    royalty: (no) => `The maker of ${no} was paid.`,
    withdraw: () => 'What waited for you is in your wallet.',
  }
  return sentences[act.kind](act.kind === 'withdraw' ? '' : `No. ${act.tokenId}`)
}
