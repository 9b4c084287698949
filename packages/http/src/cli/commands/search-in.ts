import { firstMatches } from '../../client/first-matches.ts'
import type { FoundInMemory } from '../../client/responses.ts'
import { command, type Options, UsageError } from '../arguments/command.ts'
import { omitUndefined, readCount } from '../arguments/read-values.ts'
import { connectAsAccount } from '../connection/connect.ts'
import { tokenHelp, versionOptions, versionReader } from '../connection/read-version.ts'
import type { Line } from '../terminal/output.ts'

const options = {
  limit: { type: 'string', value: 'N', about: 'The most matches, 1 to 100. Default: 20.' },
  after: { type: 'string', value: 'CURSOR', about: 'Continue after an earlier search.' },
  ...versionOptions,
} as const satisfies Options

/** The most characters of a text that is searched for. */
const longestText = 200

/** Searches inside a memory. */
export const searchIn = command({
  about: 'Finds a text inside a memory that you own or rent, whatever its case.',
  more: ['Searches the names of members and the string values, in the order of the memory.'],
  words: [
    { name: 'ID', about: tokenHelp },
    { name: 'TEXT', about: 'The text, of 1 to 200 characters.' },
  ],
  options,
  examples: [
    { line: 'heirloom search-in 7 "interest rate"', about: 'Find a phrase in token 7:' },
    { line: 'heirloom search-in 7 VTI --limit 100', about: 'Find up to 100 places:' },
  ],
  run: async (call) => {
    const { words, signal } = call
    const limit = readCount('--limit', call.options.limit, { least: 1, most: 100 }) ?? 20
    const { length } = words.TEXT
    if (length === 0 || length > longestText) {
      throw new UsageError(`TEXT must have 1 to ${longestText} characters; it has ${length}.`)
    }
    const { client } = await connectAsAccount(call)
    const id = await versionReader(call).token('ID', words.ID)
    const search = (after: string | undefined) =>
      client.searchIn(id, words.TEXT, omitUndefined({ limit, after }), { signal })
    // An answer without any match is no answer for a person.
    const found = await firstMatches(search, { after: call.options.after })
    await call.output.result({ value: found, lines: linesOf(found) })
    return 0
  },
})

function linesOf({ matches, next }: FoundInMemory): readonly Line[] {
  if (matches.length === 0) return ['Nothing found.']
  const shown = matches.map(({ pointer = '(a long pointer)', before, match, after, ...it }) => [
    { style: 'dim', text: it.in === 'name' ? `${pointer} (name)` : pointer } as const,
    `  ${before}`,
    { style: 'bold', text: match } as const,
    after,
  ])
  return next === undefined ? shown : [...shown, '', `There may be more: --after ${next}`]
}
