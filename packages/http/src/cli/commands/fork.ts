import { Failure, tokenId } from '@heirloom/core'
import type { Listing } from '../../client/responses.ts'
import { acquire, acquireOptions } from './acquire.ts'
import { command } from '../arguments/command.ts'
import { readBps } from '../arguments/read-bps.ts'
import { writing } from '../connection/dry-run.ts'

const { 'max-price': maxPrice, ...otherOptions } = acquireOptions

/** Forks a token. */
export const fork = command({
  about: 'Forks a listed token: mints a child of it that pays royalties for ever.',
  more: [
    "The server's wallet pays. The child owes what its parent owes, and the royalty of the listing; it never owes more.",
  ],
  words: [{ name: 'ID', about: 'The token to fork.' }],
  options: {
    'max-price': maxPrice,
    'max-royalty': {
      type: 'string',
      value: 'BPS',
      about:
        'The most that all royalties together may take of its prices, in basis points; what the listing shows when absent.',
    },
    ...otherOptions,
  },
  examples: [
    { line: 'heirloom fork 7 --dry-run', about: 'What it would cost, and who would be paid:' },
    {
      line: 'heirloom fork 7 --max-price 0.05ether --max-royalty 1500 --json | jq -r .tokenId',
      about: 'The number of the child, for no more than this:',
    },
  ],
  run: (call) => {
    const { 'max-royalty': text } = call.options
    const limit = text === undefined ? undefined : readBps('--max-royalty', text)
    return acquire(call, {
      verb: 'fork',
      price: (listing) => BigInt(listing.forkPrice),
      notOffered: 'listing/not-for-fork',
      royalty: (id, listing) => royaltyWithin(id, listing, limit),
      send: (client, id, input) => client.fork(id, input, writing(call)),
      said: (id, { tokenId: child }) => ['Forked', `token ${id} as token ${child}`],
    })
  },
})

/** Returns the most that the fork may owe: the limit, or else what its listing shows. */
function royaltyWithin(
  id: string,
  listing: Listing | undefined,
  limit: number | undefined,
): number | undefined {
  const royaltyBps = listing?.totalRoyaltyBps
  if (limit === undefined || royaltyBps === undefined || royaltyBps <= limit) {
    return limit ?? royaltyBps
  }
  const facts = { tokenId: tokenId(id), royaltyBps, accepted: limit }
  throw new Failure('listing/royalty-changed', facts)
}
