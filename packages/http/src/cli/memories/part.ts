import { shownValue } from '../../api/shown-value.ts'
import type { Client } from '../../client/client.ts'
import { firstMatches } from '../../client/parts.ts'
import type { SelectedInMemory } from '../../client/responses.ts'
import { type Call, command, type Options, UsageError, withValue } from '../arguments/command.ts'
import { omitUndefined, readCount } from '../arguments/read-values.ts'
import { connectAsAccount, grantOption } from '../connection/connect.ts'
import { findingsOfParts, flaggedOption, heldBackCode, holdsBack } from '../connection/hold-back.ts'
import { tokenHelp, versionOptions, versionReader } from '../connection/read-version.ts'
import { type Line, printableJson, writeTo } from '../terminal/output.ts'

const options = {
  limit: withValue('N', 'The most matches of a path, 1 to 100. Default: 20.'),
  after: withValue('CURSOR', 'Continue after an earlier answer to the path.'),
  ...flaggedOption,
  ...grantOption,
  ...versionOptions,
} as const satisfies Options

type PartCall = Call<'ID' | 'POINTER', typeof options>

/** @throws a `UsageError` for a text that is neither a pointer nor a path */
function requirePlace(text: string): void {
  if (text === '' || /^[/$]/.test(text)) return
  throw new UsageError(
    `POINTER must begin with / as in /data/notes, or with $ for a path${shownValue(text)}. heirloom outline lists the pointers.`,
  )
}

/** Reads one value of a memory, or those that a path selects. */
export const part = command({
  about: 'Prints one value of a memory that you own or rent, or those that a path selects.',
  more: [
    'POINTER is a JSON Pointer (RFC 6901), such as /data/notes/3; heirloom outline lists them. Its value is printed as its exact text.',
    'A POINTER that begins with $ is a JSONPath (RFC 9535), such as $.data.notes[-3:]; quote it for the shell. Each match is printed with its pointer and its exact text.',
    'The server verifies a part by the digest of the memory; only a download verifies its content hash.',
  ],
  words: [
    { name: 'ID', about: tokenHelp },
    { name: 'POINTER', about: 'The value, such as /data/notes/3, or a path that begins with $.' },
  ],
  options,
  examples: {
    'Print the fourth note:': 'heirloom part 7 /data/notes/3',
    'Pass a value to a program:': 'heirloom part 7 /data/goals | jq .',
    'Print the last three notes:': "heirloom part 7 '$.data.notes[-3:]'",
  },
  run: async (call) => {
    requirePlace(call.words.POINTER)
    const isPath = call.words.POINTER.startsWith('$')
    const query = omitUndefined({
      limit: readCount('--limit', call.options.limit, { least: 1, most: 100 }),
      after: call.options.after,
    })
    if (!isPath && Object.keys(query).length > 0) {
      throw new UsageError('--limit and --after need a path that begins with $.')
    }
    const { client } = await connectAsAccount(call)
    const id = await versionReader(call).token('ID', call.words.ID)
    const isPrinted = await (isPath
      ? printMatches(call, client, { id, query })
      : printValue(call, client, id))
    return isPrinted ? 0 : heldBackCode
  },
})

type Parts = Parameters<typeof findingsOfParts>[2]

/** Returns whether values may be printed, and reports what holds them back. */
async function mayPrint(call: PartCall, client: Client, id: string, parts: Parts) {
  const findings = await findingsOfParts(client, id, parts, call)
  return !(await holdsBack(call, { tokenId: id, findings }, 'Pass --flagged to print it.'))
}

/** Prints a value, and returns whether it did. */
async function printValue(call: PartCall, client: Client, id: string): Promise<boolean> {
  const { terminal, output, words, signal } = call
  const part = await client.part(id, words.POINTER, { signal })
  const { tokenId, pointer, digest, verifiedBy, text } = part
  const plain = Buffer.from(text).toString()
  if (!(await mayPrint(call, client, id, [{ pointer, text: plain }]))) return false
  if (!output.json) {
    await output.document(text)
    return true
  }
  const head = JSON.stringify({ tokenId, pointer, digest, verifiedBy })
  // The text is not parsed: its numbers may exceed the precision of a JavaScript number.
  const value = `${head.slice(0, -1)},"value":${plain}}`
  await writeTo(terminal.stdout, `${printableJson(value)}\n`)
  return true
}

type Selection = {
  readonly id: string
  readonly query: { readonly limit?: number; readonly after?: string }
}

/** Prints the values that a path selects, and returns whether it did. */
async function printMatches(
  call: PartCall,
  client: Client,
  { id, query }: Selection,
): Promise<boolean> {
  const { words, output, signal } = call
  const select = (after: string | undefined) =>
    client.selectIn(id, words.POINTER, omitUndefined({ ...query, after }), { signal })
  // An answer without any match is no answer for a person.
  const found = await firstMatches(select, { after: query.after })
  if (!(await mayPrint(call, client, id, found.matches))) return false
  await output.result({ value: found, lines: linesOf(found) })
  return true
}

function linesOf({ matches, next }: SelectedInMemory): readonly Line[] {
  if (matches.length === 0) return ['Nothing selected.']
  const shown = matches.map(({ pointer = '(a long pointer)', bytes, text }) => [
    { style: 'dim', text: pointer === '' ? '(all)' : pointer } as const,
    `  ${text ?? `(${bytes} bytes: read it by its pointer)`}`,
  ])
  return next === undefined ? shown : [...shown, '', `There may be more: --after ${next}`]
}
