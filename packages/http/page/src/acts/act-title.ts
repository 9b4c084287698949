import type { Act } from './act.ts'

const titles: { readonly [kind in Act['kind']]: string } = {
  buy: 'Buy',
  rent: 'Rent',
  fork: 'Fork',
  list: 'List',
  'take-down': 'Take down',
  transfer: 'Transfer',
  royalty: 'Pay a royalty to the creator of',
  withdraw: 'Withdraw your credit',
  mint: 'Mint your memory',
  'name-heir': 'Name your heir',
  'clear-heir': 'Have no heir',
  heartbeat: 'Say that you are here',
  'announce-takeover': 'Announce that you take over',
  'take-over': 'Take over memories',
  'take-over-credit': 'Take over the credit',
}

/** Returns the title of an act. */
export function getTitle(act: Act): string {
  const title = titles[act.kind]
  return 'tokenId' in act ? `${title} No. ${act.tokenId}` : title
}
