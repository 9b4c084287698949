import { shownValue } from '../../api/shown-value.ts'
import { command, UsageError } from '../arguments/command.ts'
import { readTokenId } from '../arguments/read-values.ts'
import { connectAsAccount, serverOptions } from '../connection/connect.ts'
import { rows, timeText } from '../terminal/value-text.ts'

/** Rates a token. */
export const rate = command({
  about: 'Rates a token that you bought, rented or forked, from 1 to 5.',
  more: [
    'Your wallet signs the rating, and pays nothing. It is public, with your address and the transaction that paid; a later one replaces it.',
  ],
  words: [
    { name: 'ID', about: 'The token.' },
    { name: 'SCORE', about: '1, the worst, to 5, the best.' },
  ],
  options: {
    comment: { type: 'string', value: 'TEXT', about: 'Your reasons, at most 500 characters.' },
    ...serverOptions,
  },
  examples: [
    { line: 'heirloom rate 7 5', about: 'Rate a token:' },
    { line: 'heirloom rate 7 2 --comment "Half of it is noise."', about: 'Say why:' },
  ],
  run: async (call) => {
    const tokenId = readTokenId('ID', call.words.ID)
    const score = readScore(call.words.SCORE)
    const { client } = await connectAsAccount(call)
    const { comment } = call.options
    const value = await client.rate({ tokenId, score, comment }, { signal: call.signal })
    const lines = rows([
      ['Rated', `token ${tokenId}, ${value.score} of 5, on ${timeText(value.ratedAt)}`],
      ['Because of', `${value.act}, transaction ${value.txHash}`],
    ])
    await call.output.result({ value, lines })
    return 0
  },
})

/** @throws `UsageError` */
function readScore(text: string): number {
  if (/^[1-5]$/.test(text)) return Number(text)
  throw new UsageError(`SCORE must be 1, 2, 3, 4 or 5${shownValue(text)}.`)
}
