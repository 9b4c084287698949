import { command } from '../arguments/command.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import { namedAccount } from '../connection/named-account.ts'
import { dollarText } from '../terminal/amount-text.ts'
import { rows } from '../terminal/rows.ts'

/** Gets test dollars. */
export const faucet = command({
  about: 'Gives test dollars of the embedded chain to an account: play money, worth nothing.',
  more: ['The server pays the gas, so the account needs no money for it.'],
  words: [{ name: 'ADDRESS', about: 'The account. Default: your wallet.', optional: true }],
  options: serverOptions,
  examples: [
    {
      line: 'heirloom faucet 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      about: 'Give test dollars to an account:',
    },
  ],
  run: async (call) => {
    const address = await namedAccount(call.terminal, call.words.ADDRESS)
    const client = await connect(call)
    const value = await client.faucet(address, { signal: call.signal })
    const lines = rows([
      ['Account', address],
      ['Given', `${dollarText(BigInt(value.amount))} of play money`],
      ['Transaction', value.txHash],
    ])
    await call.output.result({ value: { address, ...value }, lines })
    return 0
  },
})
