import { acquire, acquireOptions } from './acquire.ts'
import { command } from '../arguments/command.ts'
import { writing } from '../connection/dry-run.ts'

/** Buys a token. */
export const buy = command({
  about: 'Buys a listed token at its asking price.',
  more: ["The server's wallet pays. A price that rose since it was shown is not paid."],
  words: [{ name: 'ID', about: 'The token.' }],
  options: acquireOptions,
  examples: [
    { line: 'heirloom buy 7 --dry-run', about: 'What it would cost, and who would be paid:' },
    { line: 'heirloom buy 7 --max-price 0.01ether', about: 'For no more than this:' },
    { line: 'heirloom buy 7 --yes --json', about: 'For whatever it costs, in a program:' },
  ],
  run: (call) =>
    acquire(call, {
      verb: 'buy',
      price: (listing) => BigInt(listing.price),
      notOffered: 'listing/not-for-sale',
      send: (client, id, input) => client.buy(id, input, writing(call)),
      said: (id) => ['Bought', `token ${id}`],
    }),
})
