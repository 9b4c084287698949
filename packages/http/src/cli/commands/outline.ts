import type { Outline } from '@heirloom/core'
import { command, type Options } from '../arguments/command.ts'
import { omitUndefined, readCount } from '../arguments/read-values.ts'
import { connectAsAccount } from '../connection/connect.ts'
import { findingsOfParts, flaggedOption, heldBackCode, holdsBack } from '../connection/hold-back.ts'
import { tokenHelp, versionOptions, versionReader } from '../connection/read-version.ts'
import type { Line } from '../terminal/output.ts'

const options = {
  at: { type: 'string', value: 'POINTER', about: 'The value to describe. Default: all of it.' },
  depth: { type: 'string', value: 'N', about: 'The levels below it, 0 to 8. Default: 2.' },
  width: { type: 'string', value: 'N', about: 'The most members of each, 1 to 100. Default: 20.' },
  from: { type: 'string', value: 'N', about: 'The number of the first member.' },
  ...flaggedOption,
  ...versionOptions,
} as const satisfies Options

/** Describes what is in a memory. */
export const outline = command({
  about: 'Shows what is in a memory that you own or rent: names, types, sizes and counts.',
  more: ['Of a long memory, only the pieces that it needs are opened.'],
  words: [{ name: 'ID', about: tokenHelp }],
  options,
  examples: [
    { line: 'heirloom outline 7', about: 'See what token 7 holds:' },
    { line: 'heirloom outline ada', about: 'See what the last version of a name holds:' },
    { line: 'heirloom outline 7 --at /data/notes --from 20', about: 'Go on in a list:' },
  ],
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
    await call.output.result({ value, lines: linesOf(value, value.pointer ?? '', '') })
    return 0
  },
})

/** Returns the value and all members below it. */
const placesIn = (value: Outline): readonly Outline[] => [
  value,
  ...(value.members ?? []).flatMap(placesIn),
]

function linesOf(value: Outline, name: string, lead: string): readonly Line[] {
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
    ...members.flatMap((member) => linesOf(member, nameOf(member), below)),
    ...(next === undefined ? [] : [[{ style: 'dim', text: more } as const]]),
  ]
}

/** Returns the last token of a pointer, as in the pointer. */
const nameOf = ({ pointer }: Outline): string =>
  pointer === undefined ? '(a long name)' : pointer.slice(pointer.lastIndexOf('/'))

const quoted = (pointer: string): string =>
  /^[\w/.-]+$/.test(pointer) ? pointer : `'${pointer.replaceAll("'", "'\\''")}'`
