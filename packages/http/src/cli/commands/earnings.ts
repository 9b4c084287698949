import { command } from '../arguments/command.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import { namedAccount } from '../connection/named-account.ts'
import { priceText } from '../terminal/amount-text.ts'
import { rows } from '../terminal/rows.ts'

const sources = ['sales', 'rentals', 'forks', 'royalties', 'credit'] as const

/** Shows the earnings of an account. */
export const earnings = command({
  about: 'Shows what an account has earned, in native money and in dollars.',
  more: ['Royalties to others are deducted. Credit was earned but could not be paid out.'],
  words: [{ name: 'ADDRESS', about: 'The account. Default: your wallet.', optional: true }],
  options: serverOptions,
  examples: [
    {
      line: 'heirloom earnings 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      about: 'Show the earnings of an account:',
    },
  ],
  run: async (call) => {
    const address = await namedAccount(call.terminal, call.words.ADDRESS)
    const client = await connect(call)
    const earned = await client.earnings(address, { signal: call.signal })
    const lines = rows([
      ['Account', address],
      ...sources.map((source) => {
        const [native, dollars] = [earned[source], earned.dollars[source]]
        return [source, `${priceText('native', native)}, ${priceText('dollar', dollars)}`] as const
      }),
    ])
    await call.output.result({ value: { address, ...earned }, lines })
    return 0
  },
})
