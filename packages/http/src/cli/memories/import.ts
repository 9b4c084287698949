import type { FormatName, ImportedMemory, ImportOptions } from '@heirloom/adapters/formats'
import type { Part, PartChoice, Split } from '@heirloom/adapters/formats/sources'
import { Failure, isFailure } from '@heirloom/core'
import { shownValue } from '../../api/shown-value.ts'
import { type Call, command, type Options, UsageError, withValue } from '../arguments/command.ts'
import { omitUndefined, readCategory, readOptional } from '../arguments/read-values.ts'
import type { CommandResult, Line } from '../terminal/output.ts'
import { rows } from '../terminal/value-text.ts'
import { describeSecret, searching, secretChoiceOf, secretsWithoutText } from './build-document.ts'
import { type ImportOutcome, importArchive } from './import-archive.ts'
import { mint, mintOptions, readMintOptions } from './mint.ts'
import { isArchive, noteLink, readImport } from './read-import.ts'
import { afterOption, ownerOf, saveVersion } from './save-version.ts'

const formatSet = {
  json: true,
  'mcp-memory': true,
  'letta-af': true,
  mem0: true,
  'langgraph-store': true,
  'langgraph-checkpoints': true,
  chatgpt: true,
  claude: true,
  eliza: true,
  graphiti: true,
  cognee: true,
  cogx: true,
  'llama-index': true,
  markdown: true,
} satisfies Readonly<Record<FormatName, true>>

const splitNames = ['year', 'month', 'conversation'] as const satisfies readonly Split[]

/** The names of the formats, known without loading their code. */
export const formats = Object.keys(formatSet) as readonly FormatName[]

const options = {
  format: { type: 'string', choices: formats, about: 'The format of PATH. Default: detected.' },
  category: withValue('WORD', 'The category. Default: that of the format.'),
  'agent-id': withValue('NAME', 'The name of the agent.'),
  version: withValue('LABEL', 'A version label for this state.'),
  name: withValue('NAME', 'Save it as the next version of a private name.'),
  split: {
    type: 'string',
    choices: splitNames,
    about: 'With --name: save an export of conversations as a memory of NAME/… for each of these.',
  },
  only: withValue(
    'TEXT',
    'Import only conversations with this id or with TEXT in the title, or this thread.',
  ),
  since: withValue('DAY', 'Import only conversations begun on this day (UTC) or later.'),
  until: withValue('DAY', 'Import only conversations begun on this day (UTC) or earlier.'),
  after: {
    ...afterOption.after,
    about: 'With --name: save only if this token is still the last version; 0 for none.',
  },
  ...mintOptions,
} as const satisfies Options

/** The exit code of an import or an export that left out a file, or another part. */
export const partCode = 10

/** Imports a memory of another program. */
export const importCommand = command({
  about:
    'Snapshots a memory of another program, and reports what was imported and what was left out.',
  more: [
    'JSON, a file of the MCP memory server, Letta, mem0, LangGraph, ElizaOS, Zep, Graphiti or Cognee, an export (zip) of ChatGPT, Claude or OpenMemory, or a folder of Markdown or of LlamaIndex. A memory with secrets is refused without --redact or --keep-secrets.',
    'PATH may also be a server: letta:AGENT (LETTA_BASE_URL, LETTA_API_KEY), mem0:user_id=NAME (MEM0_HOST, MEM0_API_KEY), or postgres://HOST/DATABASE with the checkpoints of LangGraph.',
    'A memory takes 48 MB of conversations. Of a larger export --split makes several, and --dry-run lists them.',
    'With --name it is saved as heirloom save does; heirloom export gives the files of a version back, byte for byte.',
    'Where the memory lacks a file or an item that PATH has, the report names it, and the command exits with 10.',
  ],
  words: [{ name: 'PATH', about: 'A file, a folder, or a server.', file: true }],
  options,
  examples: {
    'Show what would be imported:': 'heirloom import agent.af --dry-run',
    'Import a Letta agent:': 'heirloom import agent.af',
    'Save a folder of Markdown as the next version of a name:':
      'heirloom import memories --name ada/notes',
    'List the memories that an export of ChatGPT becomes, one for each month:':
      'heirloom import chatgpt.zip --name ada/chats --split month --dry-run',
    'Import a folder of Markdown without its secrets:':
      'heirloom import memories --category research --agent-id ada --redact',
  },
  run: async (call) => {
    requireName(call.options)
    const choice = readChoice(call.options)
    const options: ImportOptions = {
      ...(call.options.format && { format: call.options.format as FormatName }),
      secrets: secretChoiceOf(call.options),
      metadata: metadataOf(call.options),
    }
    const isChoosing = Object.keys(choice).length > 0
    const { PATH } = call.words
    await noteLink(call, PATH)
    const { result, left } = await withPath(PATH, async () =>
      (await isArchive(PATH, isChoosing))
        ? importParts(call, choice, options)
        : importOne(call, options),
    )
    await call.output.result(result)
    return left.some(({ isLoss }) => isLoss) ? partCode : 0
  },
})

type ImportCall = Call<'PATH', typeof options>

async function importOne(call: ImportCall, options: ImportOptions): Promise<ImportOutcome> {
  const { only, split, since, until } = call.options
  if ((split ?? since ?? until) !== undefined) {
    throw new UsageError(
      `--split, --since and --until are for exports of conversations, and ${call.words.PATH} is none.`,
    )
  }
  const { importAside } = await import('@heirloom/adapters/internal/import-aside')
  const { files, left } = await readImport(call, call.words.PATH, only)
  const { report, ...memory } = await searching(call, () =>
    importAside(files, options, call.signal),
  )
  const imported = { ...memory, report: { ...report, left: [...left, ...report.left] } }
  const minted = await mintOrSave(call, imported.document)
  const result = {
    value: { import: summaryOf(imported), ...Object(minted.value) },
    lines: [...linesOf(imported), '', ...minted.lines],
  }
  return { result, left: imported.report.left }
}

/** Runs an import; a failure of `The file` or `The export` names its path instead. */
async function withPath<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const isNameless = isFailure(error, 'import/malformed') && /^The \w+$/.test(error.facts.what)
    if (!isNameless) throw error
    const { problem } = error.facts
    throw new Failure('import/malformed', { what: path, problem }, { cause: error })
  }
}

function importParts(
  call: ImportCall,
  choice: PartChoice,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const { name, 'dry-run': isDryRun = false, 'idempotency-key': key } = call.options
  const nameOf = ({ label }: Part) => [name, label].filter((it) => it).join('/')
  return importArchive({
    path: call.words.PATH,
    choice,
    options,
    isDryRun,
    output: call.output,
    signal: call.signal,
    nameOf,
    save: ({ part, imported }) => {
      const own = key === undefined || part.label === '' ? key : `${key}-${part.label}`
      const given = omitUndefined({ name: nameOf(part) || undefined, 'idempotency-key': own })
      return mintOrSave({ ...call, options: { ...call.options, ...given } }, imported.document)
    },
  })
}

/** @throws a `UsageError` for a day that is none, and for a split without a name */
function readChoice({ split, only, since, until, name, after }: ImportCall['options']): PartChoice {
  for (const [option, day] of Object.entries({ since, until })) {
    if (day === undefined || isDay(day)) continue
    throw new UsageError(`--${option} must be a day, such as 2026-01-31${shownValue(day)}.`)
  }
  if (split !== undefined && name === undefined) {
    throw new UsageError('--split needs --name: the memories are saved as NAME/2026-01 and so on.')
  }
  if (split !== undefined && after !== undefined) {
    throw new UsageError('--after is for one memory; omit it with --split.')
  }
  return omitUndefined({ split: split as Split | undefined, only, since, until })
}

const isDay = (text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))

/** @throws a `UsageError` for options that count with a name alone, or without one alone */
function requireName({ name, after, parent }: ImportCall['options']): void {
  if (name === undefined && after !== undefined) throw new UsageError('--after needs --name.')
  if (name === undefined || parent === undefined) return
  throw new UsageError('The parent of a version is the last one of its name; omit --parent.')
}

/** Mints a token, or saves the next version of a name; a dry run costs the same for both. */
async function mintOrSave(call: ImportCall, document: Uint8Array): Promise<CommandResult> {
  const { name, 'dry-run': isDry, 'as-wallet': isOwn, ...given } = call.options
  if (name === undefined) return mint(call, document)
  const owner = isOwn ? given.recipient : await ownerOf(call)
  const recipient = owner === 'server' && !isOwn ? undefined : owner
  const minting = { ...call, options: { ...call.options, recipient } }
  if (isDry) return mint(minting, document, { name })
  const { card } = await readMintOptions(minting)
  return saveVersion(call, name, { document, ...omitUndefined({ card }) })
}

type Given = Pick<ImportCall['options'], 'category' | 'agent-id' | 'version'>

const metadataOf = ({ category, 'agent-id': agentId, version }: Given) =>
  omitUndefined({
    category: readOptional(readCategory, '--category', category),
    agentId,
    version,
  })

const summaryOf = ({ format, document, report }: ImportedMemory) => ({
  format,
  bytes: document.length,
  ...report,
  secrets: secretsWithoutText(report.secrets),
})

function linesOf({ format, document, report }: ImportedMemory): readonly Line[] {
  return rows([
    ['Format', format],
    ...report.taken.map(({ what, count }) => ['Imported', `${what}: ${count}`] as const),
    ...report.left.map(({ what, why }) => ['Left out', `${what}: ${why}`] as const),
    ...report.secrets.map((it) => ['Secret', describeSecret(it)] as const),
    ['Memory', `${document.length} bytes`],
  ])
}
