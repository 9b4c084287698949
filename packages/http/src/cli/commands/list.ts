import { readAmount } from '../arguments/read-amount.ts'
import { type Call, command } from '../arguments/command.ts'
import { connect, readToken } from '../connection/connect.ts'
import { readBps } from '../arguments/read-bps.ts'
import { rows } from '../terminal/rows.ts'
import { rehearsed, writeOptions, writing } from '../connection/dry-run.ts'
import { termsText } from '../terminal/terms-text.ts'

const options = {
  price: {
    type: 'string',
    value: 'AMOUNT',
    about: 'What it costs to buy; not for sale when absent.',
  },
  rent: { type: 'string', value: 'AMOUNT', about: 'What a day costs; not for rent when absent.' },
  'fork-price': {
    type: 'string',
    value: 'AMOUNT',
    about: 'What a fork costs; not for fork when absent.',
  },
  royalty: {
    type: 'string',
    value: 'BPS',
    about: "The share of a fork's later prices, in basis points; 500 is 5 %.",
  },
  ...writeOptions,
} as const

/** Offers a token. */
export const list = command({
  about: "Offers a token of the server's wallet for sale, rent or fork.",
  more: [
    'Amounts are as in 0.01ether; whole wei without a unit. The terms take the place of earlier ones; with no price at all, the listing is taken down.',
  ],
  words: [{ name: 'ID', about: 'The token.' }],
  options,
  examples: [
    {
      line: 'heirloom list 7 --price 0.01ether --rent 0.001ether --fork-price 0.02ether --royalty 500',
      about: 'In all three ways:',
    },
    { line: 'heirloom list 7', about: 'No more:' },
  ],
  run: async (call) => {
    const id = readToken('ID', call.words.ID)
    const terms = readTerms(call.options)
    const client = await connect(call)
    const body = { tokenId: id, ...terms }
    if (call.options['dry-run']) {
      const rehearsal = { path: '/api/marketplace/list', body }
      await call.output.answer(await rehearsed(client, rehearsal, call.signal))
      return 0
    }
    const value = await client.list(body, writing(call))
    const offers = termsText(terms)
    const lines = rows([
      [offers.length === 0 ? 'Taken down' : 'Listed', `token ${id}`],
      ...offers,
      ['Transaction', value.txHash],
    ])
    await call.output.answer({ value: { ...value, ...body }, lines })
    return 0
  },
})

const readTerms = (given: Call<'ID', typeof options>['options']) => ({
  price: readAmount('--price', given.price ?? '0'),
  rentalPricePerDay: readAmount('--rent', given.rent ?? '0'),
  forkPrice: readAmount('--fork-price', given['fork-price'] ?? '0'),
  forkRoyaltyBps: readBps('--royalty', given.royalty ?? '0'),
})
