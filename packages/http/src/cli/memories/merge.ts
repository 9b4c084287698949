import type { Resolve } from '@heirloom/adapters/internal/diff/change'
import type { Merged, MergeInput } from '../../client/versions.ts'
import { type Call, command, type Options, UsageError, withValue } from '../arguments/command.ts'
import { connectAsAccount } from '../connection/connect.ts'
import { versionHelp, versionOptions, versionReader } from '../connection/read-version.ts'
import { readIfExists, readInput, requireFree, writeAtomically } from '../terminal/files.ts'
import { printableJson, writeTo } from '../terminal/output.ts'
import { rows } from '../terminal/value-text.ts'
import { printConflicts, readDecisions } from './conflict-file.ts'

const options = {
  base: withValue(
    'BASE',
    'The version that both come from. Default: their nearest common ancestor.',
  ),
  to: { type: 'string', value: 'FILE', about: 'Write the merged memory to FILE.', file: true },
  force: { type: 'boolean', about: 'Replace FILE.' },
  'keep-both': {
    type: 'boolean',
    about: 'Where both added items to the same place of a list, keep both, ours first.',
  },
  decisions: {
    type: 'string',
    value: 'FILE',
    about: 'Read what becomes of conflicts from FILE, which an earlier merge wrote.',
    file: true,
  },
  ...versionOptions,
} as const satisfies Options

/** Merges two versions of a memory. */
export const merge = command({
  about: 'Merges what two versions changed since the version that both come from.',
  more: [
    'What only one side changed is taken from it, with its exact text. What both changed in different ways is a conflict: then no memory is written, the conflicts are written to FILE.conflicts (or merge.conflicts), and it exits with 1. Write a decision beside each, and merge again with --decisions.',
    'Nothing is saved on the server; heirloom save or snapshot saves the merged memory. A file that exists is replaced with --force only.',
  ],
  words: [
    { name: 'OURS', about: `One version: ${versionHelp}.`, file: true },
    { name: 'THEIRS', about: 'The other version.', file: true },
  ],
  options,
  examples: {
    'Merge two versions, and save the result as the next one:':
      'heirloom merge 8 9 --to merged.json && heirloom snapshot merged.json --parent 8',
    'Name the version that both come from, and replace the file:':
      'heirloom merge 8 9 --base 7 --to merged.json --force',
    'Merge again, with decisions on conflicts:':
      'heirloom merge 8 9 --to merged.json --decisions merged.json.conflicts',
  },
  run: async (call) => {
    requireFree(call.options, call.options.to)
    const { client } = await connectAsAccount(call)
    const input = await readMerge(call)
    const merged = await client.merge(input, { signal: call.signal })
    if (merged.document === undefined) return reportConflicts(call, merged)
    await writeMerged(call, merged, merged.document)
    return 0
  },
})

type MergeCall = Call<'OURS' | 'THEIRS', typeof options>

async function readMerge(call: MergeCall): Promise<MergeInput> {
  const { words, options: given, terminal } = call
  const { version } = versionReader(call)
  const { base, decisions } = given
  if (decisions !== undefined && given['keep-both']) {
    throw new UsageError('--decisions and --keep-both cannot be given together.')
  }
  const decided = decisions && (await readDecided(terminal, decisions))
  return {
    ours: await version('OURS', words.OURS),
    theirs: await version('THEIRS', words.THEIRS),
    base: base === undefined ? undefined : await version('--base', base),
    resolve: decided || (given['keep-both'] ? 'both' : undefined),
  }
}

async function readDecided(terminal: MergeCall['terminal'], file: string): Promise<Resolve> {
  const bytes = await readInput(terminal, file)
  const { jsonProblem } = await import('@heirloom/adapters/formats')
  const problem = jsonProblem(bytes)
  if (problem !== undefined) throw new UsageError(`${file} is invalid: ${problem}.`)
  return readDecisions(file, bytes)
}

async function writeMerged(
  { options: { to: file }, terminal, output }: MergeCall,
  { base }: Merged,
  document: Uint8Array,
): Promise<void> {
  if (file !== undefined) {
    await writeAtomically(file, document)
    const lines = rows([
      ['Written', `${file}, ${document.length} bytes`],
      ['Base', base === undefined ? 'the given file' : `token ${base}`],
    ])
    return output.result({ value: { base, bytes: document.length, file }, lines })
  }
  if (!output.json) return output.document(document)
  const head = JSON.stringify({ base, bytes: document.length })
  // The text is not parsed: its numbers may exceed the precision of a JavaScript number.
  const text = `${head.slice(0, -1)},"document":${Buffer.from(document)}}`
  await writeTo(terminal.stdout, `${printableJson(text)}\n`)
}

/** Writes the conflicts to a file, but never over decisions, and returns the exit code. */
async function reportConflicts(call: MergeCall, { conflicts, base }: Merged): Promise<number> {
  const { words, options: given, output } = call
  const file = given.decisions ?? `${given.to ?? 'merge'}.conflicts`
  if (given.decisions === undefined) {
    if ((await readIfExists(file)) !== undefined) {
      throw new UsageError(
        `There are conflicts, and ${file} is there already. Pass it with --decisions, or remove it.`,
      )
    }
    await writeAtomically(
      file,
      printConflicts({ ours: words.OURS, theirs: words.THEIRS, base }, conflicts),
    )
  }
  const left = conflicts.map(({ kind, path }) => `  ${path === '' ? 'the whole' : path} (${kind})`)
  const count = `${conflicts.length} conflict${conflicts.length === 1 ? '' : 's'}`
  await output.result({
    value: { base, conflicts: conflicts.map(({ kind, path }) => ({ kind, path })), file },
    lines: [
      `${count} without a decision:`,
      ...left.slice(0, 20),
      ...(left.length > 20 ? [`  and ${left.length - 20} more`] : []),
      `Decide each in ${file}, then merge again with --decisions ${file}.`,
    ],
  })
  return 1
}
