import type { SourceFile } from '@heirloom/adapters/formats'
import type { Call } from '../arguments/command.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { CommandResult } from '../terminal/output.ts'
import { rows } from '../terminal/rows.ts'
import { lettaServer, readPostgresAddress } from './live-source.ts'

/** Returns the files as their program reads them: tables of SQLite as a database, others as they are. */
export async function toNativeFiles(files: readonly SourceFile[]): Promise<readonly SourceFile[]> {
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
export async function writeLive(
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
