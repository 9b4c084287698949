import { command } from '../arguments/command.ts'
import { connect, namedAccount, serverOptions } from '../connection/connect.ts'
import { priceText, rows } from '../terminal/value-text.ts'

/** Shows the credit of an account. */
export const credit = command({
  about: 'Shows the credit of an account: payments that it could not receive.',
  more: ['Only the account itself can withdraw it, with heirloom withdraw.'],
  words: [
    {
      name: 'ADDRESS',
      about: 'The account. Default: your wallet, or that of DATA_DIR.',
      optional: true,
    },
  ],
  options: serverOptions,
  examples: [
    {
      line: 'heirloom credit 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      about: 'Show the credit of an account:',
    },
  ],
  run: async (call) => {
    const address = await namedAccount(call)
    const client = await connect(call)
    const { credit: native, dollars } = await client.earnings(address, { signal: call.signal })
    const lines = rows([
      ['Account', address],
      ['Credit', priceText('native', native)],
      ['In dollars', priceText('dollar', dollars.credit)],
    ])
    const value = { address, credit: native, dollars: { credit: dollars.credit } }
    await call.output.result({ value, lines })
    return 0
  },
})
