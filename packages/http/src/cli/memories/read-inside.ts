import type { Outline } from '@heirloom/core'
import { searchNote } from '../../api/nearest-name.ts'
import { maxSearchLength as longestText } from '../../api/schemas/part-schemas.ts'
import { firstMatches } from '../../client/parts.ts'
import type { FoundInMemory } from '../../client/responses.ts'
import { command, type Options, UsageError, withValue } from '../arguments/command.ts'
import { omitUndefined, readCount } from '../arguments/read-values.ts'
import { connectAsAccount, grantOption } from '../connection/connect.ts'
import { findingsOfParts, flaggedOption, heldBackCode, holdsBack } from '../connection/hold-back.ts'
import { tokenHelp, versionOptions, versionReader } from '../connection/read-version.ts'
import type { Line } from '../terminal/output.ts'

const outlineOptions = {
  at: withValue('POINTER', 'The value to describe. Default: all of it.'),
  depth: withValue('N', 'The levels below it, 0 to 8. Default: 2.'),
  width: withValue('N', 'The most members of each, 1 to 100. Default: 20.'),
  from: withValue('N', 'The number of the first member.'),
  ...flaggedOption,
  ...grantOption,
  ...versionOptions,
} as const satisfies Options

/** Describes what is in a memory. */
export const outline = command({
  about: 'Shows what is in a memory that you own or rent: names, types, sizes and counts.',
  more: ['Of a long memory, only the pieces that it needs are opened.'],
  words: [{ name: 'ID', about: tokenHelp }],
  options: outlineOptions,
  examples: {
    'See what token 7 holds:': 'heirloom outline 7',
    'See what the last version of a name holds:': 'heirloom outline ada',
    'Go on in a list:': 'heirloom outline 7 --at /data/notes --from 20',
  },
  run: async (call) => {
    const { at: pointer, ...counts } = call.options
    const query = omitUndefined({
      pointer,
      depth: readCount('--depth', counts.depth, { least: 0, most: 8 }),
      width: readCount('--width', counts.width, { least: 1, most: 100 }),
      from: readCount('--from', counts.from),
    })
    const { client } = await connectAsAccount(call)
    const id = await versionReader(call).token('ID', call.words.ID)
    const value = await client.outline(id, query, { signal: call.signal })
    const findings = await findingsOfParts(client, id, placesIn(value), call)
    const found = { tokenId: id, findings }
    if (await holdsBack(call, found, 'Pass --flagged to print it.')) return heldBackCode
    await call.output.result({ value, lines: outlineLines(value, value.pointer ?? '', '') })
    return 0
  },
})

/** Returns the value and all members below it. */
const placesIn = (value: Outline): readonly Outline[] => [
  value,
  ...(value.members ?? []).flatMap(placesIn),
]

function outlineLines(value: Outline, name: string, lead: string): readonly Line[] {
  const { type, bytes, count, members = [], next } = value
  const items = count === undefined ? '' : ` of ${count}`
  const about = {
    style: 'dim',
    text: `  ${type}${items}, ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`,
  } as const
  const below = `${lead}  `
  const more = `${below}… go on with --at ${quoted(value.pointer ?? '')} --from ${next}`
  return [
    [lead, { style: 'bold', text: name === '' ? '(all)' : name }, about],
    ...members.flatMap((member) => outlineLines(member, nameOf(member), below)),
    ...(next === undefined ? [] : [[{ style: 'dim', text: more } as const]]),
  ]
}

/** Returns the last token of a pointer, as in the pointer. */
const nameOf = ({ pointer }: Outline): string =>
  pointer === undefined ? '(a long name)' : pointer.slice(pointer.lastIndexOf('/'))

const quoted = (pointer: string): string =>
  /^[\w/.-]+$/.test(pointer) ? pointer : `'${pointer.replaceAll("'", "'\\''")}'`

const searchOptions = {
  limit: withValue('N', 'The most matches, 1 to 100. Default: 20.'),
  after: withValue('CURSOR', 'Continue after an earlier search.'),
  ...grantOption,
  ...versionOptions,
} as const satisfies Options

/** Searches inside a memory. */
export const searchIn = command({
  about: 'Answers a question from a memory that you own or rent, or finds a text in it.',
  more: [
    'The items come first that have the text as it stands, then those that say most of its words, in any form. Quotes look for a phrase only, in names and string values, whatever its case.',
  ],
  words: [
    { name: 'ID', about: tokenHelp },
    { name: 'TEXT', about: `The question or text, of 1 to ${longestText} characters.` },
  ],
  options: searchOptions,
  examples: {
    'Ask token 7:': 'heirloom search-in 7 "who spoke of interest rates?"',
    'Find a phrase:': `heirloom search-in 7 '"interest rate"' --limit 100`,
  },
  run: async (call) => {
    const { words, signal } = call
    const limit = readCount('--limit', call.options.limit, { least: 1, most: 100 }) ?? 20
    requireText('TEXT', words.TEXT)
    const { client } = await connectAsAccount(call)
    const id = await versionReader(call).token('ID', words.ID)
    const search = (after: string | undefined) =>
      client.searchIn(id, words.TEXT, omitUndefined({ limit, after, each: 'item' }), { signal })
    // An answer without any match is no answer for a person.
    const found = await firstMatches(search, { after: call.options.after })
    await call.output.result({ value: found, lines: foundLines(found) })
  },
})

/** Requires a text of a length that the server takes. */
export function requireText(name: string, { length }: string): void {
  if (length > 0 && length <= longestText) return
  throw new UsageError(`${name} must have 1 to ${longestText} characters; it has ${length}.`)
}

function foundLines({ matches, next, ...hints }: FoundInMemory): readonly Line[] {
  const hint = [searchNote(hints)].filter((it) => it !== undefined)
  if (matches.length === 0) return ['Nothing found.', ...hint]
  const shown = matches.map(({ pointer = '(a long pointer)', before, match, after, ...it }) => [
    { style: 'dim', text: it.in === 'name' ? `${pointer} (name)` : pointer } as const,
    `  ${before}`,
    it.item === undefined ? ({ style: 'bold', text: match } as const) : match,
    after,
  ])
  const all = [...shown, ...hint]
  return next === undefined ? all : [...all, '', `There may be more: --after ${next}`]
}
