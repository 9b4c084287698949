import { command } from '../arguments/command.ts'
import { readAddress, readTokenId } from '../arguments/read-values.ts'
import { ownDryRun } from '../connection/dry-run.ts'
import { actOptions, openOwnWallet, toActOptions } from '../connection/own-wallet.ts'
import { confirmPayment } from '../connection/writer.ts'
import { rows } from '../terminal/value-text.ts'

/** Transfers a token of the caller's wallet. */
export const transfer = command({
  about: 'Transfers a token of your own wallet to another account, without a price.',
  more: [
    'Your wallet signs and pays the fees. Its new owner can open the memory, and you cannot any longer; a listing ends.',
  ],
  words: [
    { name: 'ID', about: 'The token.' },
    { name: 'ADDRESS', about: 'The new owner.' },
  ],
  options: {
    yes: { type: 'boolean', short: 'y', about: 'Do not ask before transferring.' },
    ...actOptions,
  },
  examples: [
    {
      line: 'heirloom transfer 7 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --dry-run',
      about: 'Show the fees:',
    },
    {
      line: 'heirloom transfer 7 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --yes',
      about: 'Transfer it without asking:',
    },
  ],
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const to = readAddress('ADDRESS', call.words.ADDRESS)
    const wallet = await openOwnWallet(call)
    if (call.options['dry-run']) {
      const quote = await wallet.quote('transfer', id, { to })
      await call.output.result(ownDryRun(wallet, { act: 'transfer', quote }))
      return 0
    }
    await confirmPayment(call, `Transfer token ${id} from your wallet to ${to}, for nothing?`)
    const value = await wallet.transfer(id, { to }, toActOptions(call))
    const lines = rows([
      ['Transferred', `token ${id} to ${to}`],
      ['Transaction', value.txHash],
    ])
    await call.output.result({ value: { ...value, to }, lines })
    return 0
  },
})
