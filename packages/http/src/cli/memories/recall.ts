import { maxSearchLength as longestText } from '../../api/schemas/part-schemas.ts'
import { recall as recallAll } from '../../mcp/small/recall.ts'
import { command, type Options, withValue } from '../arguments/command.ts'
import { readCount, readGrant } from '../arguments/read-values.ts'
import {
  connectAsAccount,
  grantOption,
  proofOptions,
  serverOptions,
} from '../connection/connect.ts'
import { flaggedOption } from '../connection/hold-back.ts'
import type { Line } from '../terminal/output.ts'
import { requireText } from './read-inside.ts'

const options = {
  limit: withValue('N', 'The most answers, 1 to 50. Default: 10.'),
  after: withValue('MEMORY', 'Continue after the memory of an earlier answer.'),
  ...flaggedOption,
  ...grantOption,
  ...serverOptions,
  ...proofOptions,
} as const satisfies Options

/** Asks all memories of an account. */
export const recall = command({
  about: 'Answers a question from all memories that you own or rent, or from the name of a grant.',
  more: [
    'The items come first that have the question as it stands, then those that say most of its words, in any form. Quotes look for a phrase only. Of each name the last version is asked; with --grant the granted name alone. heirloom search-in ID asks one token, also by a grant.',
  ],
  words: [{ name: 'QUESTION', about: `What you want to know, in 1 to ${longestText} characters.` }],
  options,
  examples: {
    'Ask:': 'heirloom recall "what did the client say about the interest rate?"',
    'Find a phrase:': `heirloom recall '"interest rate"' --limit 50`,
  },
  run: async (call) => {
    const { QUESTION: text } = call.words
    const limit = readCount('--limit', call.options.limit, { least: 1, most: 50 }) ?? 10
    requireText('QUESTION', text)
    const { client, account } = await connectAsAccount(call)
    const session = { client, account: account?.address }
    const { after, flagged, grant: given } = call.options
    const grant = given === undefined ? undefined : readGrant('--grant', given)
    const found = await recallAll(session, { text, limit, after, flagged, grant }, call)
    await call.output.result({ value: found, lines: linesOf(found, flagged) })
  },
})

type Match = {
  readonly memory: string
  readonly at: string | null
  readonly who?: string
  readonly when?: string
  readonly text: string
  readonly outdated?: true
}

function linesOf(
  { matches, guards, unread, searched, note, next }: recallAll.Output,
  flagged = false,
): readonly Line[] {
  const isHeld = !flagged && guards?.some((it) => 'held' in it) === true
  const shown = (matches as readonly Match[]).flatMap(answerLines)
  const held = isHeld
    ? ['', 'Some of it could mislead you, and is held back: --flagged shows it.']
    : []
  const left = unread === undefined ? [] : ['', `${unread.length} memories could not be read.`]
  const more = next === undefined ? [] : ['', `${searched} were asked: go on with --after ${next}`]
  const hint = note === undefined ? [] : [note]
  const none = searched.startsWith('0 of 0 ')
    ? 'You own and rent no memory here.'
    : 'Nothing found.'
  return [...(shown.length === 0 ? [none] : shown), ...hint, ...held, ...left, ...more]
}

function answerLines({ memory, at, who, when, text, outdated }: Match): readonly Line[] {
  const said = [who, when, ...(outdated ? ['no longer holds'] : [])].filter(
    (it) => it !== undefined,
  )
  const place = `${memory} ${at ?? '(a long pointer)'}`
  return [
    [text],
    [{ style: 'dim', text: `  ${place}${said.length === 0 ? '' : `, ${said.join(', ')}`}` }],
  ]
}
