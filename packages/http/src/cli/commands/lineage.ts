import type { Lineage } from '../../client/responses.ts'
import { amountText, readAmount } from '../arguments/read-amount.ts'
import { command } from '../arguments/command.ts'
import { connect, readToken, serverOptions } from '../connection/connect.ts'
import { treeOf } from '../terminal/lineage-tree.ts'
import type { Line } from '../terminal/output.ts'
import { rows } from '../terminal/rows.ts'

/** Shows the kin of a token. */
export const lineage = command({
  about: 'Draws where a token comes from and what came of it, and who is paid of a price.',
  words: [{ name: 'ID', about: 'The token.' }],
  options: {
    price: {
      type: 'string',
      value: 'AMOUNT',
      about: 'The price to split; what it is for sale at when absent, or else 1 ether.',
    },
    ...serverOptions,
  },
  examples: [
    { line: 'heirloom lineage 7', about: 'The tree, with the share of each:' },
    { line: 'heirloom lineage 7 --price 2.5ether', about: 'Of another price:' },
  ],
  run: async (call) => {
    const id = readToken('ID', call.words.ID)
    const { price: text } = call.options
    const query = text === undefined ? {} : { price: readAmount('--price', text) }
    const client = await connect(call)
    const lineage = await client.lineage(id, query, { signal: call.signal })
    await call.output.answer({
      value: lineage,
      lines: [...treeOf(lineage), '', ...sharesOf(lineage)],
    })
    return 0
  },
})

function sharesOf({ split, isCut }: Lineage): readonly Line[] {
  return [
    ...(isCut ? ['There are more than are shown here.'] : []),
    `Of ${amountText(BigInt(split.price))}`,
    ...rows([
      ...split.royalties.map(
        ({ to, amount, tokenId }) =>
          [`  token ${tokenId}`, `${amountText(BigInt(amount))} to ${to}`] as const,
      ),
      ['  seller', amountText(BigInt(split.rest))],
    ]),
  ]
}
