import type { Lineage } from '../../client/responses.ts'
import { command } from '../arguments/command.ts'
import { type Price, readPrice } from '../arguments/read-amounts.ts'
import { readTokenId } from '../arguments/read-values.ts'
import { screened, screenedOption } from '../connection/answers.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import { lineageTree } from '../terminal/lineage-tree.ts'
import type { Line } from '../terminal/output.ts'
import { priceText, rows } from '../terminal/value-text.ts'

/** Shows the lineage of a token. */
export const lineage = command({
  about: 'Draws the ancestors and descendants of a token, and shows how a price is split.',
  words: [{ name: 'ID', about: 'The token.' }],
  options: {
    price: {
      type: 'string',
      value: 'AMOUNT',
      about: 'The price to split. Default: its sale price, or 1 ether or dollar.',
    },
    ...screenedOption,
    ...serverOptions,
  },
  examples: [
    { line: 'heirloom lineage 7', about: 'Show the tree and the split of the price:' },
    { line: 'heirloom lineage 7 --price 2.5ether', about: 'Split another price, also as in 5usd:' },
  ],
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const { price: text } = call.options
    const price = text === undefined ? undefined : readPrice('--price', text)
    const query = price === undefined ? {} : { price: price.amount }
    const client = await connect(call)
    const found = await client.lineage(id, query, { signal: call.signal })
    const lineage = await screened(call, client, found)
    await call.output.result({
      value: lineage,
      lines: [...lineageTree(lineage), '', ...sharesOf(lineage, price)],
    })
    return 0
  },
})

function sharesOf({ split, isCut }: Lineage, given: Price | undefined): readonly Line[] {
  const { currency } = given ?? split
  const text = (amount: string) => priceText(currency, amount)
  return [
    ...(isCut ? ['The lineage has more tokens than are shown here.'] : []),
    `Split of ${text(split.price)}`,
    ...rows([
      ...split.royalties.map(
        ({ to, amount, tokenId }) => [`  token ${tokenId}`, `${text(amount)} to ${to}`] as const,
      ),
      ['  seller', text(split.rest)],
    ]),
  ]
}
