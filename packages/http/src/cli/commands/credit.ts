import type { Hex } from '@heirloom/core'
import { HeirloomError } from '../../client/heirloom-error.ts'
import { type Call, command } from '../arguments/command.ts'
import { readAddress } from '../arguments/read-address.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import { findOwnAccount } from '../connection/find-account.ts'
import { amountText } from '../terminal/amount-text.ts'
import { rows } from '../terminal/rows.ts'

/** Shows the credit of an account. */
export const credit = command({
  about: 'Shows the credit of an account: payments that it could not receive.',
  more: ['Only the account itself can withdraw it, with heirloom withdraw.'],
  words: [{ name: 'ADDRESS', about: 'The account. Default: your wallet.', optional: true }],
  options: serverOptions,
  examples: [
    {
      line: 'heirloom credit 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      about: 'Show the credit of an account:',
    },
  ],
  run: async (call) => {
    const address = await readAccount(call)
    const client = await connect(call)
    const earnings = await client.earnings(address, { signal: call.signal })
    const lines = rows([
      ['Account', address],
      ['Credit', amountText(BigInt(earnings.credit))],
    ])
    await call.output.result({ value: { address, credit: earnings.credit }, lines })
    return 0
  },
})

async function readAccount({ words, terminal }: Pick<Call, 'words' | 'terminal'>): Promise<Hex> {
  const { ADDRESS: given } = words
  if (given !== undefined) return readAddress('ADDRESS', given)
  const account = await findOwnAccount(terminal)
  if (account !== undefined) return account.address
  throw new HeirloomError({ code: 'client/no-account', facts: {}, message: 'No wallet.' })
}
