import type { FormatName, Imported } from '@heirloom/adapters/formats'
import { type Call, command, type Options } from '../arguments/command.ts'
import { defined } from '../arguments/omit-undefined.ts'
import { readSources } from '../terminal/source-files.ts'
import type { Line } from '../terminal/output.ts'
import { rows } from '../terminal/rows.ts'
import { mint, mintOptions } from './snapshot.ts'
import { UsageError } from '../arguments/usage-error.ts'

const every = {
  json: true,
  'mcp-memory': true,
  'letta-af': true,
  mem0: true,
  'langgraph-store': true,
  markdown: true,
} satisfies Readonly<Record<FormatName, true>>

/** What can be told of the form of what is imported or exported; known without loading how. */
export const formats = Object.keys(every) as readonly FormatName[]

const options = {
  format: { type: 'string', choices: formats, about: 'What PATH is; found out when absent.' },
  redact: { type: 'boolean', about: 'Take secrets out.' },
  'keep-secrets': { type: 'boolean', about: 'Take secrets along.' },
  category: {
    type: 'string',
    value: 'WORD',
    about: 'The category; that of the format when absent.',
  },
  'agent-id': { type: 'string', value: 'NAME', about: 'The name of the agent.' },
  version: { type: 'string', value: 'LABEL', about: 'A label of this state.' },
  ...mintOptions,
} as const satisfies Options

/** Snapshots what another program keeps. */
export const importCommand = command({
  about: 'Snapshots a memory that another program keeps, and tells what was taken and left.',
  more: [
    'JSON, JSON Lines of the MCP memory server, a Letta .af file, a mem0 export, LangGraph store items, or a folder of Markdown. Secrets are refused unless --redact or --keep-secrets says otherwise.',
  ],
  words: [{ name: 'PATH', about: 'A file or a folder.', file: true }],
  options,
  examples: [
    { line: 'heirloom import agent.af --dry-run', about: 'What would be taken, and what left:' },
    { line: 'heirloom import agent.af', about: 'An agent of Letta:' },
    {
      line: 'heirloom import memories --category research --agent-id ada --redact',
      about: 'A folder of Markdown, without the secrets in it:',
    },
  ],
  run: async (call) => {
    const { redact, 'keep-secrets': keep } = call.options
    if (redact && keep) throw new UsageError('--redact and --keep-secrets exclude each other.')
    const { importMemory } = await import('@heirloom/adapters/formats')
    const files = await readSources(call.words.PATH)
    const imported = importMemory(files, {
      ...(call.options.format && { format: call.options.format as FormatName }),
      secrets: redact ? 'redact' : keep ? 'keep' : 'refuse',
      metadata: metadataOf(call.options),
    })
    const minted = await mint(call, imported.document)
    await call.output.answer({
      value: { import: told(imported), ...Object(minted.value) },
      lines: [...linesOf(imported), '', ...minted.lines],
    })
    return 0
  },
})

type Given = Pick<Call<never, typeof options>['options'], 'category' | 'agent-id' | 'version'>

const metadataOf = ({ category, 'agent-id': agentId, version }: Given) =>
  defined({ category, agentId, version })

const told = ({ format, document, report }: Imported) => ({
  ...{ format, bytes: document.length, ...report },
})

function linesOf({ format, document, report }: Imported): readonly Line[] {
  return rows([
    ['Format', format],
    ...report.taken.map(({ what, count }) => ['Taken', `${what}: ${count}`] as const),
    ...report.left.map(({ what, why }) => ['Left', `${what}: ${why}`] as const),
    ...report.secrets.map(
      (it) => ['Secret', `${it.kind} at ${it.where ?? ''} line ${it.line}: ${it.excerpt}`] as const,
    ),
    ['Memory', `${document.length} bytes`],
  ])
}
