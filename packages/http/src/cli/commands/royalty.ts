import { amountText, readAmount } from '../arguments/read-amount.ts'
import { command } from '../arguments/command.ts'
import { connect, readToken } from '../connection/connect.ts'
import { rows } from '../terminal/rows.ts'
import { approved, payOptions, rehearsed, writing } from '../connection/dry-run.ts'

/** Pays a royalty. */
export const royalty = command({
  about: 'Pays the creator of a token, beside what its forks owe by themselves.',
  more: [
    "The server's wallet pays. What is paid is what is given here, so --yes is needed nowhere but to be asked nothing.",
  ],
  words: [
    { name: 'ID', about: 'The token whose creator receives.' },
    { name: 'AMOUNT', about: 'How much, as in 0.001ether; whole wei without a unit.' },
  ],
  options: payOptions,
  examples: [
    { line: 'heirloom royalty 7 0.001ether --dry-run', about: 'Who would be paid:' },
    { line: 'heirloom royalty 7 1000 --yes', about: 'A thousand wei:' },
  ],
  run: async (call) => {
    const id = readToken('ID', call.words.ID)
    const amount = readAmount('AMOUNT', call.words.AMOUNT)
    const client = await connect(call)
    const { creator } = await client.info(id, { signal: call.signal })
    if (call.options['dry-run']) {
      const shares = [{ to: creator, amount: `${amount}`, why: 'the creator' }]
      const path = `/api/marketplace/royalty/${id}`
      const rehearsal = { path, body: { amount }, price: amount, shares }
      await call.output.answer(await rehearsed(client, rehearsal, call.signal))
      return 0
    }
    await approved(call, `Pay ${amountText(amount)} to ${creator}?`)
    const value = await client.royalty(id, { amount }, writing(call))
    const paid = `${amountText(amount)} to ${creator}`
    const lines = rows([
      ['Paid', paid],
      ['Transaction', value.txHash],
    ])
    await call.output.answer({ value: { ...value, to: creator, amount }, lines })
    return 0
  },
})
