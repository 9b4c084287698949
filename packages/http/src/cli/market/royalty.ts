import { pathOf } from '../../api/operations/paths.ts'
import { type Call, command, UsageError } from '../arguments/command.ts'
import { type Price, readPrice } from '../arguments/read-amounts.ts'
import { readTokenId } from '../arguments/read-values.ts'
import { dryRun, ownDryRun } from '../connection/dry-run.ts'
import { confirmPayment, connectWriter, payOptions, type Writer } from '../connection/writer.ts'
import type { CommandResult } from '../terminal/output.ts'
import { priceText, rows } from '../terminal/value-text.ts'

/** Pays a royalty. */
export const royalty = command({
  about: 'Pays the creator of a token, in addition to the royalties of its forks.',
  more: [
    "The server's wallet, or with --as-wallet yours, pays exactly this amount. Without a terminal it pays without asking, also without --yes.",
  ],
  words: [
    { name: 'ID', about: 'The token whose creator is paid.' },
    { name: 'AMOUNT', about: 'The amount, as in 0.001ether, or 1usd; whole wei without a unit.' },
  ],
  options: payOptions,
  examples: {
    'Show who would be paid:': 'heirloom royalty 7 0.001ether --dry-run',
    'Pay 1000 wei without asking:': 'heirloom royalty 7 1000 --yes',
    'Pay a dollar of your own wallet:': 'heirloom royalty 7 1usd --yes --as-wallet --relayed',
  },
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const amount = readPrice('AMOUNT', call.words.AMOUNT)
    const writer = await connectWriter(call)
    if (amount.currency === 'dollar' && writer.wallet === undefined) {
      throw new UsageError("AMOUNT in dollars needs --as-wallet: the server's wallet pays none.")
    }
    const { creator } = await writer.client.info(id, { signal: call.signal })
    const payment = { id, amount, creator }
    if (call.options['dry-run']) return call.output.result(await describe(call, writer, payment))
    const paid = `${priceText(amount.currency, amount.amount)} to ${creator}`
    await confirmPayment(call, `Pay ${paid}?`)
    const value = await pay(writer, payment)
    const lines = rows([
      ['Paid', paid],
      ['Transaction', value.txHash],
    ])
    await call.output.result({ value: { ...value, to: creator, ...printAmount(amount) }, lines })
  },
})

type Payment = { readonly id: string; readonly amount: Price; readonly creator: string }

const pay = ({ wallet, writes, options }: Writer, { id, amount: { currency, amount } }: Payment) =>
  wallet !== undefined && currency === 'dollar'
    ? wallet.royalty(id, { dollars: amount }, options)
    : writes.royalty(id, { amount }, options)

/** Returns an amount as listings have prices: one in dollars stands beside 0 wei. */
const printAmount = ({ currency, amount }: Price) =>
  currency === 'native' ? { amount } : { amount: 0n, dollars: { amount } }

async function describe(
  { signal }: Pick<Call, 'signal'>,
  { client, wallet }: Writer,
  { id, amount: { currency, amount }, creator }: Payment,
): Promise<CommandResult> {
  const shares = [{ to: creator, amount: `${amount}`, why: 'the creator' }]
  if (wallet === undefined) {
    const path = pathOf('royalty', { tokenId: id })
    return dryRun(client, { path, body: { amount }, price: amount, shares }, signal)
  }
  const terms = currency === 'dollar' ? { dollars: amount } : { amount }
  return ownDryRun(wallet, {
    act: 'payRoyalty',
    shares,
    quote: await wallet.quote('royalty', id, terms),
  })
}
