import type { Change } from '@heirloom/adapters/internal/diff/change'
import { diffLines } from '@heirloom/adapters/internal/diff/lines'
import { command } from '../arguments/command.ts'
import { connectAsAccount } from '../connection/connect.ts'
import { versionHelp, versionOptions, versionReader } from '../connection/read-version.ts'
import { type Line, printableJson, writeTo } from '../terminal/output.ts'

/** Compares two versions of a memory. */
export const diff = command({
  about: 'Shows what differs between two memories that you own or rent, or files.',
  more: [
    'Both memories are downloaded and verified, then compared here: by names, by the ids of items, and texts by lines. Numbers are compared as they are written, so 1 and 1.0 differ.',
    'With --json it prints a JSON Patch (RFC 6902) that makes the second of the first.',
  ],
  words: [
    { name: 'A', about: `The older version: ${versionHelp}.`, file: true },
    { name: 'B', about: 'The newer version.', file: true },
  ],
  options: versionOptions,
  examples: {
    'Show what version 7 changed:': 'heirloom diff 6 7',
    'Show what a file changes:': 'heirloom diff 7 ./memory.json',
    'Show what changed under a name since its first version:': 'heirloom diff ada@1 ada',
    'Show the same, signed by your own wallet alone:': 'heirloom diff diary@1 diary --as-wallet',
    'Write the changes as a JSON Patch:': 'heirloom diff 6 7 --json > changes.json',
  },
  run: async (call) => {
    const { words, terminal, output, signal } = call
    const { client } = await connectAsAccount(call)
    const read = versionReader(call)
    const before = await read.version('A', words.A)
    const after = await read.version('B', words.B)
    const { changes, isIdentical, patch } = await client.diff(before, after, { signal })
    if (output.json) await writeTo(terminal.stdout, `${printableJson(patch)}\n`)
    else await output.lines(diffText(changes))
    if (changes.length > 0) await output.note(countChanges(changes))
    else await output.note(isIdentical ? identical : sameValues)
  },
})

const identical = 'Both are the same, byte for byte.'
const sameValues = 'Both have the same values, but other white space or escapes.'

/** Returns changes as lines: removed values in red, added values in green. */
const diffText = (changes: readonly Change[]): readonly Line[] => changes.flatMap(changeLines)

/** Counts changes: `2 added, 1 changed`. */
function countChanges(changes: readonly Change[]): string {
  const kinds = ['added', 'removed', 'changed', 'moved'] as const
  const counts = kinds.map((kind) => [changes.filter((it) => it.kind === kind).length, kind])
  return counts
    .filter(([count]) => count !== 0)
    .map((it) => it.join(' '))
    .join(', ')
}

function changeLines(change: Change): readonly Line[] {
  const { path } = change
  if (change.kind === 'added') return [added(`${path}  ${short(change.value)}`)]
  if (change.kind === 'removed') return [removed(`${path}  ${short(change.value)}`)]
  if (change.kind === 'moved') {
    return [[{ style: 'yellow', text: `> ${path}  has another place among the members` }]]
  }
  const { before, after } = change
  if (hasLines(before) || hasLines(after)) return textLines(path, before, after)
  return [removed(`${path}  ${short(before)}`), added(`${path}  ${short(after)}`)]
}

const added = (text: string): Line => [{ style: 'green', text: `+ ${text}` }]
const removed = (text: string): Line => [{ style: 'red', text: `- ${text}` }]

const hasLines = (json: string): boolean => json.startsWith('"') && json.includes('\\n')

/** Returns the difference of two strings line by line, if both are strings. */
function textLines(path: string, before: string, after: string): readonly Line[] {
  const [older, newer]: readonly unknown[] = [JSON.parse(before), JSON.parse(after)]
  if (typeof older !== 'string' || typeof newer !== 'string') {
    return [removed(`${path}  ${short(before)}`), added(`${path}  ${short(after)}`)]
  }
  return [
    [{ style: 'bold', text: `~ ${path}` }],
    ...diffLines(older, newer).flatMap(({ from, lines }) => [
      [{ style: 'dim', text: `    line ${from}` }] as const,
      ...lines.map((line) => {
        const text = short(line.text)
        if (line.in === 'both') return `    ${text}`
        return line.in === 'before' ? removed(`  ${text}`) : added(`  ${text}`)
      }),
    ]),
  ]
}

/** The most characters of a value or a line that are shown. */
const mostCharacters = 400

/** Returns the beginning of a text. Escapes tell characters apart that look alike or like nothing. */
function short(text: string): string {
  const shown = printableJson(text.slice(0, mostCharacters))
  const rest = text.length - mostCharacters
  return rest > 0 ? `${shown}… and ${rest} more characters` : shown
}
