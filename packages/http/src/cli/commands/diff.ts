import { command } from '../arguments/command.ts'
import { connectAsAccount } from '../connection/connect.ts'
import { versionHelp, versionOptions, versionReader } from '../connection/read-version.ts'
import { countChanges, diffText } from '../terminal/diff-text.ts'
import { printableJson, writeTo } from '../terminal/output.ts'

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
  examples: [
    { line: 'heirloom diff 6 7', about: 'Show what version 7 changed:' },
    { line: 'heirloom diff 7 ./memory.json', about: 'Show what a file changes:' },
    {
      line: 'heirloom diff ada@1 ada',
      about: 'Show what changed under a name since its first version:',
    },
    {
      line: 'heirloom diff diary@1 diary --as-wallet',
      about: 'Show the same under a name of your own wallet:',
    },
    {
      line: 'heirloom diff 6 7 --json > changes.json',
      about: 'Write the changes as a JSON Patch:',
    },
  ],
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
    return 0
  },
})

const identical = 'Both are the same, byte for byte.'
const sameValues = 'Both have the same values, but other white space or escapes.'
