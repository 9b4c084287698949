import type { Event } from '../../../src/client/responses.ts'

type Choice = { readonly name: string; readonly kinds: readonly Event['kind'][] }

/** The kinds of events that a visitor can choose, by the word in the address. */
export const eventChoices: Readonly<Record<string, Choice>> = {
  created: { name: 'Created', kinds: ['mint'] },
  listing: { name: 'Listed and taken down', kinds: ['listing', 'dollar-listing'] },
  sale: { name: 'Sold', kinds: ['sale', 'dollar-sale'] },
  rental: { name: 'Rented', kinds: ['rental', 'dollar-rental'] },
  fork: { name: 'Forked', kinds: ['fork', 'dollar-fork'] },
  royalty: { name: 'Royalties', kinds: ['royalty', 'dollar-royalty'] },
  transfer: { name: 'Transferred', kinds: ['transfer'] },
  card: { name: 'Described', kinds: ['card'] },
  heir: { name: 'Heirs', kinds: ['heir-named', 'heartbeat', 'takeover-announced', 'takeover'] },
}

/** Returns the choice in the query of an address; absent when it has none that exists. */
export function parseEventChoice(search: string): string | undefined {
  const chosen = new URLSearchParams(search).get('kind') ?? ''
  return Object.hasOwn(eventChoices, chosen) ? chosen : undefined
}
