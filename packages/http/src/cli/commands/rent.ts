import { maxRentalDays } from '@heirloom/core'
import { command } from '../arguments/command.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { writing } from '../connection/spend.ts'
import { timeText } from '../terminal/rows.ts'
import { acquire, acquireOptions } from './acquire.ts'

/** Rents a token. */
export const rent = command({
  about: 'Rents a listed token by the day, so that its memory can be downloaded until then.',
  more: ["The server's wallet pays. Renting again prolongs a rental that still runs."],
  words: [{ name: 'ID', about: 'The token.' }],
  options: {
    days: { type: 'string', value: 'DAYS', about: 'How many whole days, 1 to 365; 1 when absent.' },
    ...acquireOptions,
  },
  examples: [
    { line: 'heirloom rent 7 --days 30 --dry-run', about: 'What a month would cost:' },
    { line: 'heirloom rent 7 --max-price 0.01ether', about: 'A day, for no more than this:' },
  ],
  run: async (call) => {
    const durationDays = readDays(call.options.days ?? '1')
    return acquire(call, {
      verb: 'rent',
      price: (listing) => BigInt(listing.rentalPricePerDay) * BigInt(durationDays),
      notOffered: 'listing/not-for-rent',
      body: { durationDays },
      send: (client, id, input) => client.rent(id, { durationDays, ...input }, writing(call)),
      said: (id, { expiresAt }) => ['Rented', `token ${id} until ${timeText(expiresAt)}`],
    })
  },
})

function readDays(text: string): number {
  const days = /^[1-9][0-9]{0,2}$/.test(text) ? Number(text) : Number.NaN
  if (days <= maxRentalDays) return days
  throw new UsageError(`--days must be a whole number from 1 to ${maxRentalDays}.`)
}
