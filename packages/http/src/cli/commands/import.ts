import type { FormatName, ImportedMemory } from '@heirloom/adapters/formats'
import { type Call, command, type Options } from '../arguments/command.ts'
import { omitUndefined } from '../arguments/omit-undefined.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { afterOption, saveVersion } from '../connection/save-version.ts'
import type { CommandResult, Line } from '../terminal/output.ts'
import { rows } from '../terminal/rows.ts'
import { readSourceFiles } from '../terminal/source-files.ts'
import { mint, mintOptions, readMintOptions } from './snapshot.ts'

const formatSet = {
  json: true,
  'mcp-memory': true,
  'letta-af': true,
  mem0: true,
  'langgraph-store': true,
  markdown: true,
} satisfies Readonly<Record<FormatName, true>>

/** The names of the formats, known without loading their code. */
export const formats = Object.keys(formatSet) as readonly FormatName[]

const options = {
  format: { type: 'string', choices: formats, about: 'The format of PATH. Default: detected.' },
  redact: { type: 'boolean', about: 'Replace secrets.' },
  'keep-secrets': { type: 'boolean', about: 'Import secrets as they are.' },
  category: {
    type: 'string',
    value: 'WORD',
    about: 'The category. Default: that of the format.',
  },
  'agent-id': { type: 'string', value: 'NAME', about: 'The name of the agent.' },
  version: { type: 'string', value: 'LABEL', about: 'A version label for this state.' },
  name: { type: 'string', value: 'NAME', about: 'Save it as the next version of a private name.' },
  after: {
    ...afterOption.after,
    about: 'With --name: save only if this token is still the last version; 0 for none.',
  },
  ...mintOptions,
} as const satisfies Options

/** Imports a memory of another program. */
export const importCommand = command({
  about:
    'Snapshots a memory of another program, and reports what was imported and what was left out.',
  more: [
    'JSON, JSON Lines of the MCP memory server, a Letta .af file, a mem0 export, LangGraph store items, or a folder of Markdown. A memory with secrets is refused without --redact or --keep-secrets.',
    'With --name it is saved as heirloom save does; heirloom export gives the files of a version back, byte for byte.',
  ],
  words: [{ name: 'PATH', about: 'A file or a folder.', file: true }],
  options,
  examples: [
    { line: 'heirloom import agent.af --dry-run', about: 'Show what would be imported:' },
    { line: 'heirloom import agent.af', about: 'Import a Letta agent:' },
    {
      line: 'heirloom import memories --name ada/notes',
      about: 'Save a folder of Markdown as the next version of a name:',
    },
    {
      line: 'heirloom import memories --category research --agent-id ada --redact',
      about: 'Import a folder of Markdown without its secrets:',
    },
  ],
  run: async (call) => {
    const { redact, 'keep-secrets': keep } = call.options
    if (redact && keep) throw new UsageError('--redact and --keep-secrets exclude each other.')
    requireName(call.options)
    const { importMemory } = await import('@heirloom/adapters/formats')
    const files = await readSourceFiles(call.words.PATH)
    const imported = importMemory(files, {
      ...(call.options.format && { format: call.options.format as FormatName }),
      secrets: redact ? 'redact' : keep ? 'keep' : 'refuse',
      metadata: metadataOf(call.options),
    })
    const minted = await mintOrSave(call, imported.document)
    await call.output.result({
      value: { import: summaryOf(imported), ...Object(minted.value) },
      lines: [...linesOf(imported), '', ...minted.lines],
    })
    return 0
  },
})

type ImportCall = Call<'PATH', typeof options>

/** @throws a `UsageError` for options that count with a name alone, or without one alone */
function requireName({ name, after, parent }: ImportCall['options']): void {
  if (name === undefined && after !== undefined) throw new UsageError('--after needs --name.')
  if (name === undefined || parent === undefined) return
  throw new UsageError('The parent of a version is the last one of its name; omit --parent.')
}

/** Mints a token, or saves the next version of a name; a dry run costs the same for both. */
function mintOrSave(call: ImportCall, document: Uint8Array): Promise<CommandResult> {
  const { name, 'dry-run': isDry } = call.options
  if (name === undefined) return mint(call, document)
  if (isDry) return mint(call, document, { name })
  return saveVersion(call, name, { document, ...readMintOptions(call.options) })
}

type Given = Pick<ImportCall['options'], 'category' | 'agent-id' | 'version'>

const metadataOf = ({ category, 'agent-id': agentId, version }: Given) =>
  omitUndefined({ category, agentId, version })

const summaryOf = ({ format, document, report }: ImportedMemory) => ({
  ...{ format, bytes: document.length, ...report },
})

function linesOf({ format, document, report }: ImportedMemory): readonly Line[] {
  return rows([
    ['Format', format],
    ...report.taken.map(({ what, count }) => ['Imported', `${what}: ${count}`] as const),
    ...report.left.map(({ what, why }) => ['Left out', `${what}: ${why}`] as const),
    ...report.secrets.map(
      (it) => ['Secret', `${it.kind} at ${it.where ?? ''} line ${it.line}: ${it.excerpt}`] as const,
    ),
    ['Memory', `${document.length} bytes`],
  ])
}
