import { command } from '../arguments/command.ts'
import { readAddress } from '../arguments/read-address.ts'
import { ownDryRun } from '../connection/own-dry-run.ts'
import { actOptions, openOwnWallet, toActOptions } from '../connection/own-wallet.ts'
import { amountText } from '../terminal/amount-text.ts'
import { rows } from '../terminal/rows.ts'

/** Withdraws the credit of the caller's wallet. */
export const withdraw = command({
  about: 'Withdraws the credit of your own wallet: payments that it could not receive.',
  more: ['Your wallet signs and pays the fees. heirloom credit shows the credit of any account.'],
  words: [],
  options: {
    to: {
      type: 'string',
      value: 'ADDRESS',
      about: 'The account that is paid. Default: your wallet.',
    },
    ...actOptions,
  },
  examples: [
    { line: 'heirloom withdraw --dry-run', about: 'Show the fees:' },
    {
      line: 'heirloom withdraw --to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      about: 'Pay the credit to another account:',
    },
  ],
  run: async (call) => {
    const { to: given } = call.options
    const terms = given === undefined ? {} : { to: readAddress('--to', given) }
    const wallet = await openOwnWallet(call)
    if (call.options['dry-run']) {
      const quote = await wallet.quote('withdraw', terms)
      await call.output.result(ownDryRun(wallet, { act: 'withdraw', quote }))
      return 0
    }
    const value = await wallet.withdraw(terms, toActOptions(call))
    const to = terms.to ?? wallet.address
    const lines = rows([
      ['Withdrawn', `${amountText(BigInt(value.amount))} to ${to}`],
      ['Transaction', value.txHash],
    ])
    await call.output.result({ value: { ...value, to }, lines })
    return 0
  },
})
