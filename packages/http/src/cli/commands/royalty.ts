import { command } from '../arguments/command.ts'
import { readAmount } from '../arguments/read-amount.ts'
import { readTokenId } from '../arguments/read-token-id.ts'
import { confirmPayment } from '../connection/confirm-payment.ts'
import { connectWriter } from '../connection/connect-writer.ts'
import { dryRun } from '../connection/dry-run.ts'
import { ownDryRun } from '../connection/own-dry-run.ts'
import { payOptions } from '../connection/write-options.ts'
import { amountText } from '../terminal/amount-text.ts'
import { rows } from '../terminal/rows.ts'

/** Pays a royalty. */
export const royalty = command({
  about: 'Pays the creator of a token, in addition to the royalties of its forks.',
  more: [
    "The server's wallet, or with --as-wallet yours, pays exactly this amount. Without a terminal it pays without asking, also without --yes.",
  ],
  words: [
    { name: 'ID', about: 'The token whose creator is paid.' },
    { name: 'AMOUNT', about: 'The amount, as in 0.001ether; whole wei without a unit.' },
  ],
  options: payOptions,
  examples: [
    { line: 'heirloom royalty 7 0.001ether --dry-run', about: 'Show who would be paid:' },
    { line: 'heirloom royalty 7 1000 --yes', about: 'Pay 1000 wei without asking:' },
  ],
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const amount = readAmount('AMOUNT', call.words.AMOUNT)
    const { client, wallet, writes, options } = await connectWriter(call)
    const { creator } = await client.info(id, { signal: call.signal })
    if (call.options['dry-run']) {
      const shares = [{ to: creator, amount: `${amount}`, why: 'the creator' }]
      const path = `/api/marketplace/royalty/${id}`
      const write = { path, body: { amount }, price: amount, shares }
      const described =
        wallet === undefined
          ? await dryRun(client, write, call.signal)
          : ownDryRun(wallet, {
              ...{ act: 'payRoyalty', shares },
              quote: await wallet.quote('royalty', id, { amount }),
            })
      await call.output.result(described)
      return 0
    }
    await confirmPayment(call, `Pay ${amountText(amount)} to ${creator}?`)
    const value = await writes.royalty(id, { amount }, options)
    const paid = `${amountText(amount)} to ${creator}`
    const lines = rows([
      ['Paid', paid],
      ['Transaction', value.txHash],
    ])
    await call.output.result({ value: { ...value, to: creator, amount }, lines })
    return 0
  },
})
