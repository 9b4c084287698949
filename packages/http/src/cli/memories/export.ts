import type { FormatName, Omission, SourceFile } from '@heirloom/adapters/formats'
import { Failure } from '@heirloom/core'
import { assetOf } from '../../api/signed-texts.ts'
import { type Call, command, UsageError } from '../arguments/command.ts'
import { connectAsAccount } from '../connection/connect.ts'
import { flaggedOption, heldBackCode, holdsBack } from '../connection/hold-back.ts'
import { tokenHelp, versionOptions, versionReader } from '../connection/read-version.ts'
import type { CommandResult } from '../terminal/output.ts'
import { rows } from '../terminal/value-text.ts'
import { formats, partCode } from './import.ts'
import { isLive, lettaServer, readPostgresAddress } from './read-import.ts'
import { writeSourceFiles } from './source-files.ts'

function refuseExport([first]: readonly Omission[]): never {
  const { what, why } = first ?? { what: 'The memory', why: 'it has no file' }
  const problem = `${why}; pass --unsafe-names to write it, or use heirloom download`
  throw new Failure('import/malformed', { what, problem })
}

/** Writes a memory in the format of the program that it came from. */
export const exportCommand = command({
  about: 'Downloads the memory of a token, and writes it as the files it was imported from.',
  more: [
    'Never overwrites a file. A memory may come from anybody, so only text files are written, and of your own memories JSON files too, but none with a name that programs execute or read as configuration. When a file is left out the command exits with 10.',
  ],
  words: [
    { name: 'ID', about: tokenHelp },
    {
      name: 'DIR',
      about: 'The folder to write into; or letta: or postgres://HOST/DATABASE.',
      file: true,
    },
  ],
  options: {
    format: {
      type: 'string',
      choices: formats,
      about: 'The format to write. Default: the format it was imported from.',
    },
    'unsafe-names': {
      type: 'boolean',
      about: 'Write all files, whatever their names.',
    },
    ...flaggedOption,
    ...versionOptions,
  },
  examples: {
    'Write into the folder restored:': 'heirloom export 7 restored',
    'Write the first version of a name into the folder notes:': 'heirloom export ada/notes@1 notes',
  },
  run: async (call) => {
    const id = await versionReader(call).token('ID', call.words.ID)
    const { client } = await connectAsAccount(call)
    const memory = await client.download(id, { signal: call.signal })
    if (await holdsBack(call, memory, 'Pass --flagged to write its files.')) return heldBackCode
    const { document } = memory
    const { exportMemory, safeFiles } = await import('@heirloom/adapters/formats')
    const all = exportMemory(document, call.options.format as FormatName | undefined)
    // What the account made itself is not scanned; its names are the account's own choice.
    const own = { json: !memory.isScanned }
    const { files, left } = call.options['unsafe-names']
      ? { files: all, left: [] }
      : safeFiles(all, own)
    if (files.length === 0) refuseExport(left)
    if (isLive(call.words.DIR)) {
      await call.output.result(await writeLive(call, call.words.DIR, files))
      return left.length === 0 ? 0 : partCode
    }
    const native = await toNativeFiles(files)
    await writeSourceFiles(call.words.DIR, native)
    const written = native.map(({ path, bytes }) => ({ path, bytes: bytes.length }))
    const lines = rows([
      ...written.map(({ path, bytes }) => ['Written', `${path}, ${bytes} bytes`] as const),
      ...left.map(({ what, why }) => ['Left out', `${what}: ${why}`] as const),
    ])
    const asset = assetOf(await client.deployment(), id)
    await call.output.result({ value: { tokenId: id, asset, files: written, left }, lines })
    return left.length === 0 ? 0 : partCode
  },
})

/** Returns the files as their program reads them: tables of SQLite as a database, others as they are. */
async function toNativeFiles(files: readonly SourceFile[]): Promise<readonly SourceFile[]> {
  const tables = await tablesOf(files)
  if (tables?.saver !== 'sqlite') return files
  const { writeSqliteCheckpoints } = await import('@heirloom/adapters/formats/sources')
  return [await writeSqliteCheckpoints(tables)]
}

async function tablesOf(files: readonly SourceFile[]) {
  const [file] = files
  if (file?.path !== 'checkpoints.json') return undefined
  const { readTables } = await import('@heirloom/adapters/formats/sources')
  return readTables(file)
}

/**
 * Writes a memory to where its program stores it: an agent of Letta, or the checkpoints of LangGraph
 * in a database whose tables the saver has made.
 *
 * @throws a `UsageError` when it is no such memory
 */
async function writeLive(
  call: Pick<Call, 'terminal' | 'signal'>,
  target: string,
  files: readonly SourceFile[],
): Promise<CommandResult> {
  const sources = await import('@heirloom/adapters/formats/sources')
  const [file] = files
  if (target === 'letta:' && file?.path.endsWith('.af')) {
    const agents = await sources.writeLettaAgent(await lettaServer(call), file)
    return { value: { agents }, lines: rows(agents.map((id) => ['Agent', id] as const)) }
  }
  const tables = await tablesOf(files)
  if (target.startsWith('postgres') && tables?.saver === 'postgres') {
    const { url, schema } = readPostgresAddress(target)
    await sources.writePostgresCheckpoints(url, tables, { schema })
    const counts = [...tables.rows].map(([table, { length }]) => [table, `${length} rows`] as const)
    return { value: { tables: Object.fromEntries(counts) }, lines: rows(counts) }
  }
  throw new UsageError(`The memory cannot be written to ${target}; name a folder.`)
}
