import type { Hex } from '@heirloom/core'
import type { Earning, Earnings, Page } from '../../client/responses.ts'
import { command, UsageError } from '../arguments/command.ts'
import { moreLine, pageOptions, readPage } from '../arguments/read-values.ts'
import { connect, namedAccount, serverOptions } from '../connection/connect.ts'
import type { CommandResult, Line } from '../terminal/output.ts'
import { priceText, rows, timeText } from '../terminal/value-text.ts'

const sources = ['sales', 'rentals', 'forks', 'royalties', 'credit'] as const

/** Shows the earnings of an account. */
export const earnings = command({
  about: 'Shows what an account has earned, in native money and in dollars.',
  more: [
    'Royalties to others are deducted. Credit was earned but could not be paid out.',
    'With --each a page may be short before the end: go on with --after.',
  ],
  words: [
    {
      name: 'ADDRESS',
      about: 'The account. Default: your wallet, or that of DATA_DIR.',
      optional: true,
    },
  ],
  options: {
    each: { type: 'boolean', about: 'Show each payment, newest first, instead of the sums.' },
    limit: {
      ...pageOptions.limit,
      about: 'With --each: the number of payments, 1 to 100. Default: 20.',
    },
    after: { ...pageOptions.after, about: 'With --each: continue after an earlier page.' },
    ...serverOptions,
  },
  examples: [
    {
      line: 'heirloom earnings 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      about: 'Show the earnings of an account:',
    },
    {
      line: 'heirloom earnings 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --each',
      about: 'Show each payment that it received:',
    },
  ],
  run: async (call) => {
    const address = await namedAccount(call)
    const page = readPage(call.options)
    if (!call.options.each && Object.keys(page).length > 0) {
      throw new UsageError('--limit and --after need --each: the sums are of all payments.')
    }
    const client = await connect(call)
    const { signal } = call
    const result = call.options.each
      ? eachOf(await client.eachEarning(address, page, { signal }))
      : sumsOf(address, await client.earnings(address, { signal }))
    await call.output.result(result)
    return 0
  },
})

function sumsOf(address: Hex, earned: Earnings): CommandResult {
  const lines = rows([
    ['Account', address],
    ...sources.map((source) => {
      const [native, dollars] = [earned[source], earned.dollars[source]]
      return [source, `${priceText('native', native)}, ${priceText('dollar', dollars)}`] as const
    }),
  ])
  return { value: { address, ...earned }, lines }
}

function eachOf(page: Page<Earning>): CommandResult {
  const none = page.items.length === 0 && page.next === null ? ['No payment was received.'] : []
  return { value: page, lines: [...page.items.map(lineOf), ...moreLine(page.next), ...none] }
}

const lineOf = ({ timestamp, kind, tokenId, currency, amount }: Earning): Line => [
  { style: 'dim', text: timeText(timestamp) },
  `  ${kind} of token ${tokenId}: ${priceText(currency, amount)}`,
]
