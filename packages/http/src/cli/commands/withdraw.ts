import { command } from '../arguments/command.ts'
import { readAddress } from '../arguments/read-values.ts'
import { ownDryRun } from '../connection/dry-run.ts'
import { actOptions, openOwnWallet, toActOptions } from '../connection/own-wallet.ts'
import { priceText, rows } from '../terminal/value-text.ts'

/** Withdraws the credit of the caller's wallet. */
export const withdraw = command({
  about: 'Withdraws the credit of your own wallet: payments that it could not receive.',
  more: [
    'Your wallet signs and pays the fees, or with --relayed the server does. heirloom credit shows the credit of any account.',
  ],
  words: [],
  options: {
    to: {
      type: 'string',
      value: 'ADDRESS',
      about: 'The account that is paid. Default: your wallet.',
    },
    dollars: { type: 'boolean', about: 'Withdraw the credit in dollars, and not that in wei.' },
    ...actOptions,
  },
  examples: [
    { line: 'heirloom withdraw --dry-run', about: 'Show the fees:' },
    { line: 'heirloom withdraw --dollars --relayed', about: 'Pay out the credit in dollars:' },
    {
      line: 'heirloom withdraw --to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      about: 'Pay the credit to another account:',
    },
  ],
  run: async (call) => {
    const { to: given, dollars } = call.options
    const to = given === undefined ? undefined : readAddress('--to', given)
    const currency = dollars ? 'dollar' : 'native'
    const terms = { to, currency } as const
    const wallet = await openOwnWallet(call)
    if (call.options['dry-run']) {
      const quote = await wallet.quote('withdraw', terms)
      const act = dollars ? 'withdrawDollars' : 'withdraw'
      await call.output.result(ownDryRun(wallet, { act, quote }))
      return 0
    }
    const value = await wallet.withdraw(terms, toActOptions(call))
    const receiver = to ?? wallet.address
    const amount = value.dollars?.amount ?? value.amount
    const lines = rows([
      ['Withdrawn', `${priceText(currency, amount)} to ${receiver}`],
      ['Transaction', value.txHash],
    ])
    await call.output.result({ value: { ...value, to: receiver }, lines })
    return 0
  },
})
