import { acquire, acquireOptions } from './acquire.ts'
import { command } from './command.ts'
import { writing } from './spend.ts'

/** Forks a token. */
export const fork = command({
  about: 'Forks a listed token: mints a child of it that pays its parent a royalty for ever.',
  more: ["The server's wallet pays. The royalty is that of the listing, and never changes again."],
  words: [{ name: 'ID', about: 'The token to fork.' }],
  options: acquireOptions,
  examples: [
    { line: 'heirloom fork 7 --dry-run', about: 'What it would cost, and who would be paid:' },
    {
      line: 'heirloom fork 7 --max-price 0.05ether --json | jq -r .tokenId',
      about: 'The number of the child, for no more than this:',
    },
  ],
  run: (call) =>
    acquire(call, {
      verb: 'fork',
      price: (listing) => BigInt(listing.forkPrice),
      notOffered: 'listing/not-for-fork',
      send: (client, id, input) => client.fork(id, input, writing(call)),
      said: (id, { tokenId }) => ['Forked', `token ${id} as token ${tokenId}`],
    }),
})
