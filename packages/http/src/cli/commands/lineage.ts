import type { Lineage } from '../../client/responses.ts'
import { command } from '../arguments/command.ts'
import { readAmount } from '../arguments/read-amount.ts'
import { readTokenId } from '../arguments/read-token-id.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import { amountText } from '../terminal/amount-text.ts'
import { lineageTree } from '../terminal/lineage-tree.ts'
import type { Line } from '../terminal/output.ts'
import { rows } from '../terminal/rows.ts'

/** Shows the lineage of a token. */
export const lineage = command({
  about: 'Draws the ancestors and descendants of a token, and shows how a price is split.',
  words: [{ name: 'ID', about: 'The token.' }],
  options: {
    price: {
      type: 'string',
      value: 'AMOUNT',
      about: 'The price to split. Default: its sale price, or 1 ether.',
    },
    ...serverOptions,
  },
  examples: [
    { line: 'heirloom lineage 7', about: 'Show the tree and the split of the price:' },
    { line: 'heirloom lineage 7 --price 2.5ether', about: 'Split another price:' },
  ],
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const { price: text } = call.options
    const query = text === undefined ? {} : { price: readAmount('--price', text) }
    const client = await connect(call)
    const lineage = await client.lineage(id, query, { signal: call.signal })
    await call.output.result({
      value: lineage,
      lines: [...lineageTree(lineage), '', ...sharesOf(lineage)],
    })
    return 0
  },
})

function sharesOf({ split, isCut }: Lineage): readonly Line[] {
  return [
    ...(isCut ? ['The lineage has more tokens than are shown here.'] : []),
    `Split of ${amountText(BigInt(split.price))}`,
    ...rows([
      ...split.royalties.map(
        ({ to, amount, tokenId }) =>
          [`  token ${tokenId}`, `${amountText(BigInt(amount))} to ${to}`] as const,
      ),
      ['  seller', amountText(BigInt(split.rest))],
    ]),
  ]
}
