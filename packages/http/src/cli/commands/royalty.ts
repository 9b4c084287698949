import { command } from '../arguments/command.ts'
import { readAmount } from '../arguments/read-amount.ts'
import { readTokenId } from '../arguments/read-token-id.ts'
import { confirmPayment } from '../connection/confirm-payment.ts'
import { connect } from '../connection/connect.ts'
import { dryRun } from '../connection/dry-run.ts'
import { payOptions, toWriteOptions } from '../connection/write-options.ts'
import { amountText } from '../terminal/amount-text.ts'
import { rows } from '../terminal/rows.ts'

/** Pays a royalty. */
export const royalty = command({
  about: 'Pays the creator of a token, in addition to the royalties of its forks.',
  more: [
    "The server's wallet pays exactly this amount. Without a terminal it pays without asking, also without --yes.",
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
    const client = await connect(call)
    const { creator } = await client.info(id, { signal: call.signal })
    if (call.options['dry-run']) {
      const shares = [{ to: creator, amount: `${amount}`, why: 'the creator' }]
      const path = `/api/marketplace/royalty/${id}`
      const write = { path, body: { amount }, price: amount, shares }
      await call.output.result(await dryRun(client, write, call.signal))
      return 0
    }
    await confirmPayment(call, `Pay ${amountText(amount)} to ${creator}?`)
    const value = await client.royalty(id, { amount }, toWriteOptions(call))
    const paid = `${amountText(amount)} to ${creator}`
    const lines = rows([
      ['Paid', paid],
      ['Transaction', value.txHash],
    ])
    await call.output.result({ value: { ...value, to: creator, amount }, lines })
    return 0
  },
})
