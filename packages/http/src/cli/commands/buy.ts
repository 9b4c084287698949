import { command } from '../arguments/command.ts'
import { acquire, acquireOptions, ownOption } from './acquire.ts'

/** Buys a token. */
export const buy = command({
  about: 'Buys a listed token at its asking price.',
  more: [
    "The server's wallet pays, or with --as-wallet yours, never more than the price that was shown.",
  ],
  words: [{ name: 'ID', about: 'The token.' }],
  options: { ...ownOption, ...acquireOptions },
  examples: [
    { line: 'heirloom buy 7 --dry-run', about: 'Show the price and who receives it:' },
    { line: 'heirloom buy 7 --max-price 0.01ether', about: 'Buy at this price or less:' },
    {
      line: 'heirloom buy 7 --max-price 5usd --as-wallet --relayed',
      about: 'Buy it for dollars of your own wallet, which needs no native money:',
    },
    { line: 'heirloom buy 7 --yes --json', about: 'Buy at any price, from a program:' },
  ],
  run: (call) =>
    acquire(call, {
      verb: 'buy',
      price: ({ price }) => BigInt(price),
      notOffered: 'listing/not-for-sale',
      send: (writes, id, input, options) => writes.buy(id, input, options),
      quote: (wallet, id, input) => wallet.quote('buy', id, input),
      row: (id) => ['Bought', `token ${id}`],
    }),
})
