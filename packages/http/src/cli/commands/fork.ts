import { Failure, tokenId } from '@heirloom/core'
import type { Listing } from '../../client/responses.ts'
import { command } from '../arguments/command.ts'
import { readBps } from '../arguments/read-amounts.ts'
import { acquire, acquireOptions } from './acquire.ts'

const { 'max-price': maxPrice, ...otherOptions } = acquireOptions

/** Forks a token. */
export const fork = command({
  about: 'Forks a listed token: mints a child token whose sales pay royalties to its ancestors.',
  more: [
    "The server's wallet pays, or with --as-wallet yours. The child owes the royalties of its parent and that of the listing; they never increase.",
  ],
  words: [{ name: 'ID', about: 'The token to fork.' }],
  options: {
    'max-price': maxPrice,
    'max-royalty': {
      type: 'string',
      value: 'SHARE',
      about:
        'The highest total of all royalties to accept, as in 15% or 1500bps. Default: the total that the listing shows.',
    },
    ...otherOptions,
  },
  examples: [
    { line: 'heirloom fork 7 --dry-run', about: 'Show the price and who receives it:' },
    {
      line: 'heirloom fork 7 --max-price 0.05ether --max-royalty 15% --json | jq -r .tokenId',
      about: 'Fork at this price or less, and print the number of the child:',
    },
  ],
  run: (call) => {
    const { 'max-royalty': text } = call.options
    const limit = text === undefined ? undefined : readBps('--max-royalty', text)
    return acquire(call, {
      verb: 'fork',
      price: ({ forkPrice }) => BigInt(forkPrice),
      notOffered: 'listing/not-for-fork',
      royalty: (id, listing) => royaltyWithin(id, listing, limit),
      send: (writes, id, input, options) => writes.fork(id, input, options),
      quote: (wallet, id, input) => wallet.quote('fork', id, input),
      row: (id, { tokenId: child }) => ['Forked', `token ${id} as token ${child}`],
    })
  },
})

/** Returns the royalty limit of a fork: the given one, or else the total that the listing shows. */
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
