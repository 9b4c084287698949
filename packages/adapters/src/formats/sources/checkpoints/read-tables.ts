import { isObject, type JsonText, parseJson, readMembers } from '@heirloom/core'
import {
  langgraphCheckpoints,
  type SaverName,
  saverOf,
} from '../../importers/langgraph-checkpoints.ts'
import { type SourceFile, throwMalformed } from '../../source-file.ts'
import { listItems } from '../list-items.ts'
import { decodeBlob, type Row, type Value } from './table-text.ts'

/** The tables of a saver with their rows. */
export type Tables = {
  readonly saver: SaverName
  readonly rows: ReadonlyMap<string, readonly Row[]>
}

/**
 * Reads the tables of a file of checkpoints, as `exportMemory` returns it.
 *
 * @throws `import/malformed`
 */
export async function readTables({ bytes }: SourceFile): Promise<Tables> {
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
  const saver = saverOf(value)
  if (saver === undefined || !langgraphCheckpoints.matches(value)) {
    throwMalformed('The memory', `it is not ${langgraphCheckpoints.noun}`)
  }
  const tables = readMembers(readMembers(bytes).get('tables') as JsonText)
  const rows = new Map<string, readonly Row[]>()
  for (const [name, list] of tables) rows.set(name, await readRows(list))
  return { saver, rows }
}

async function readRows(list: Uint8Array): Promise<readonly Row[]> {
  const rows: Row[] = []
  async function* whole() {
    yield list
  }
  const options = { subject: 'The memory', longest: list.length }
  for await (const { bytes } of listItems(whole(), options)) {
    if (bytes === undefined) continue
    rows.push([...readMembers(bytes)].map(([column, text]) => [column, decodeValue(text)] as const))
  }
  return rows
}

function decodeValue(text: JsonText): Value {
  if (isObject(text)) {
    return decodeBlob(text) ?? throwMalformed('The memory', 'a value of its rows is no blob')
  }
  const value = parseJson(text)
  if (typeof value === 'string' || value === null) return value
  if (typeof value !== 'number')
    throwMalformed('The memory', 'a value of its rows is no value of SQL')
  const digits = new TextDecoder().decode(text)
  return /[.eE]/.test(digits) ? value : BigInt(digits)
}

/** The columns of the tables of LangGraph's savers, as their migrations make them. */
export const saverColumns = {
  sqlite: {
    checkpoints: [
      ...['thread_id', 'checkpoint_ns', 'checkpoint_id', 'parent_checkpoint_id'],
      ...['type', 'checkpoint', 'metadata'],
    ],
    writes: [
      ...['thread_id', 'checkpoint_ns', 'checkpoint_id', 'task_id', 'idx'],
      ...['channel', 'type', 'value'],
    ],
  },
  postgres: {
    checkpoints: [
      ...['thread_id', 'checkpoint_ns', 'checkpoint_id', 'parent_checkpoint_id'],
      ...['type', 'checkpoint', 'metadata'],
    ],
    checkpoint_blobs: ['thread_id', 'checkpoint_ns', 'channel', 'version', 'type', 'blob'],
    // Savers in Python have the path of the task too.
    checkpoint_writes: [
      ...['thread_id', 'checkpoint_ns', 'checkpoint_id', 'task_id', 'task_path', 'idx'],
      ...['channel', 'type', 'blob'],
    ],
  },
} as const

/** The columns that the tables of some versions do not have. */
export const optionalColumns: readonly string[] = ['task_path']
