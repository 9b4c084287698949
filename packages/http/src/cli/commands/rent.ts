import { maxRentalDays } from '@heirloom/core'
import { shownValue } from '../../api/shown-value.ts'
import { command, UsageError } from '../arguments/command.ts'
import { timeText } from '../terminal/value-text.ts'
import { acquire, acquireOptions, ownOption } from './acquire.ts'

/** Rents a token. */
export const rent = command({
  about: 'Rents a listed token by the day; meanwhile its memory can be downloaded.',
  more: [
    "The server's wallet pays, or with --as-wallet yours. Renting again extends a current rental.",
  ],
  words: [{ name: 'ID', about: 'The token.' }],
  options: {
    days: { type: 'string', value: 'DAYS', about: 'The number of days, 1 to 365. Default: 1.' },
    ...ownOption,
    ...acquireOptions,
  },
  examples: [
    { line: 'heirloom rent 7 --days 30 --dry-run', about: 'Show the price of 30 days:' },
    {
      line: 'heirloom rent 7 --max-price 0.01ether',
      about: 'Rent for a day, at this price or less:',
    },
  ],
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
