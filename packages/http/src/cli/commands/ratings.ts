import { describeAverage, scoreAverage } from '../../api/score-average.ts'
import type { Rating } from '../../client/responses.ts'
import { command } from '../arguments/command.ts'
import { moreLine, pageOptions, readPage, readTokenId } from '../arguments/read-values.ts'
import { holdTexts, noteHeld, screenedOption } from '../connection/answers.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import { timeText } from '../terminal/value-text.ts'

/** Shows the ratings of a token. */
export const ratings = command({
  about: 'Shows how the accounts that paid for a token rated it, the newest first.',
  words: [{ name: 'ID', about: 'The token.' }],
  options: { ...pageOptions, ...screenedOption, ...serverOptions },
  examples: [{ line: 'heirloom ratings 7', about: 'Show the ratings of a token:' }],
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const client = await connect(call)
    const found = await client.ratings(id, readPage(call.options), { signal: call.signal })
    const { value: items } = await holdTexts(call, client, found.items)
    await noteHeld(call, heldOf(items, found.items))
    const value = { ...found, items }
    const rated = scoreAverage(value.counts)
    const lines = [
      rated === undefined ? `Nobody who paid has rated token ${id} yet.` : describeAverage(rated),
      ...value.items.flatMap(linesOf),
      ...moreLine(value.next),
    ]
    await call.output.result({ value, lines })
    return 0
  },
})

/** Counts the comments that were held back; the text that was signed repeats each. */
const heldOf = (shown: readonly Rating[], found: readonly Rating[]): number =>
  shown.filter(
    ({ comment, message }, at) => comment !== found[at]?.comment || message !== found[at]?.message,
  ).length

const linesOf = ({ score, account, act, ratedAt, comment }: Rating): readonly string[] => [
  `${score} of 5  ${account}  ${act}  ${timeText(ratedAt)}`,
  ...(comment === '' ? [] : comment.split('\n').map((line) => `    ${line}`)),
]
