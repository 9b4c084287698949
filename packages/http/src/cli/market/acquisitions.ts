import { Failure, maxRentalDays, tokenId } from '@heirloom/core'
import { shownValue } from '../../api/shown-value.ts'
import type { Listing } from '../../client/responses.ts'
import { command, UsageError, withValue } from '../arguments/command.ts'
import { readBps } from '../arguments/read-amounts.ts'
import { timeText } from '../terminal/value-text.ts'
import { acquire, acquireOptions, ownOption } from './acquire.ts'

/** Buys a token. */
export const buy = command({
  about: 'Buys a listed token at its asking price.',
  more: [
    "The server's wallet pays, or with --as-wallet yours, never more than the price that was shown.",
  ],
  words: [{ name: 'ID', about: 'The token.' }],
  options: { ...ownOption, ...acquireOptions },
  examples: {
    'Show the price and who receives it:': 'heirloom buy 7 --dry-run',
    'Buy at this price or less:': 'heirloom buy 7 --max-price 0.01ether',
    'Buy it for dollars of your own wallet, which needs no native money:':
      'heirloom buy 7 --max-price 5usd --as-wallet --relayed',
    'Buy at any price, from a program:': 'heirloom buy 7 --yes --json',
  },
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

/** Rents a token. */
export const rent = command({
  about: 'Rents a listed token by the day; meanwhile its memory can be downloaded.',
  more: [
    "The server's wallet pays, or with --as-wallet yours. Renting again extends a current rental.",
  ],
  words: [{ name: 'ID', about: 'The token.' }],
  options: {
    days: withValue('DAYS', 'The number of days, 1 to 365. Default: 1.'),
    ...ownOption,
    ...acquireOptions,
  },
  examples: {
    'Show the price of 30 days:': 'heirloom rent 7 --days 30 --dry-run',
    'Rent for a day, at this price or less:': 'heirloom rent 7 --max-price 0.01ether',
  },
  run: async (call) => {
    const durationDays = readDays(call.options.days ?? '1')
    return acquire(call, {
      verb: 'rent',
      price: ({ rentalPricePerDay: perDay }) => BigInt(perDay) * BigInt(durationDays),
      notOffered: 'listing/not-for-rent',
      body: { durationDays },
      send: (writes, id, input, options) => writes.rent(id, { durationDays, ...input }, options),
      quote: (wallet, id, input) => wallet.quote('rent', id, { durationDays, ...input }),
      row: (id, { expiresAt }) => ['Rented', `token ${id} until ${timeText(expiresAt)}`],
    })
  },
})

function readDays(text: string): number {
  const days = /^[1-9][0-9]{0,2}$/.test(text) ? Number(text) : Number.NaN
  if (days <= maxRentalDays) return days
  throw new UsageError(
    `--days must be a whole number from 1 to ${maxRentalDays}${shownValue(text)}.`,
  )
}

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
    'max-royalty': withValue(
      'SHARE',
      'The highest total of all royalties to accept, as in 15% or 1500bps. Default: the total that the listing shows.',
    ),
    ...otherOptions,
  },
  examples: {
    'Show the price and who receives it:': 'heirloom fork 7 --dry-run',
    'Fork at this price or less, and print the number of the child:':
      'heirloom fork 7 --max-price 0.05ether --max-royalty 15% --json | jq -r .tokenId',
  },
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
