import { isFailure, readMembers } from '@heirloom/core'
import type { Omission } from '../../import-report.ts'
import { decodeUtf8 } from '../../importers/json-file.ts'
import type { SaverName } from '../../importers/langgraph-checkpoints.ts'
import { inputLimits, throwMalformed } from '../../source-file.ts'
import type { ReadSource } from '../read-source.ts'

/** A value of a row: a text, an integer, a fraction, nothing, or the bytes of a blob. */
export type Value = string | bigint | number | null | Uint8Array

/** A row, each value by the name of its column. */
export type Row = readonly (readonly [column: string, value: Value])[]

/** The name of a table, and its rows as JSON texts. */
export type Table = { readonly name: string; readonly rows: readonly string[] }

/** Counts what rows take in a memory. */
export type Room = { taken: number }

/**
 * Returns the JSON text of a row, and counts its bytes.
 *
 * @throws `import/malformed` when the rows are longer than a memory
 */
export function encodeRow(row: Row, room: Room): string {
  const members = row.map(([column, value]) => `${JSON.stringify(column)}:${encodeValue(value)}`)
  const text = `{${members.join(',')}}`
  requireRoom(room, Buffer.byteLength(text))
  return text
}

/** @throws `import/malformed` when the rows are longer than a memory */
export function requireRoom(room: Room, bytes: number): void {
  room.taken += bytes
  const most = inputLimits.bytes
  if (room.taken <= most) return
  throwMalformed(
    'The database',
    `its checkpoints have more than ${most} bytes; choose a thread with --only`,
  )
}

function encodeValue(value: Value): string {
  if (value instanceof Uint8Array) return encodeBlob(value)
  if (typeof value === 'bigint') return value.toString()
  return typeof value === 'number' ? encodeFraction(value) : JSON.stringify(value)
}

/** A fraction has a point or an exponent, so that it is none of the integers. */
function encodeFraction(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '9e999' : '-9e999'
  const text = JSON.stringify(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}

/**
 * Refuses tables without a row of the only thread to read: a memory of nothing stays for ever, too.
 *
 * @throws `import/malformed`
 */
export function requireThread(tables: readonly Table[], thread: string | undefined): void {
  if (thread === undefined || tables.some(({ rows }) => rows.length > 0)) return
  throwMalformed('The database', `it has no thread ${JSON.stringify(thread.slice(0, 100))}`)
}

/** Returns tables as a file that `importMemory` takes. */
export function tablesFile(
  saver: SaverName,
  tables: readonly Table[],
  left: readonly Omission[],
): ReadSource {
  const members = tables.map(({ name, rows }) => `${JSON.stringify(name)}:[${rows.join(',')}]`)
  const text = `{"saver":"${saver}","tables":{${members.join(',')}}}`
  return { file: { path: 'checkpoints.json', bytes: new TextEncoder().encode(text) }, left }
}

/**
 * Returns the JSON text of the bytes of a blob: `{"json":…}` with these very bytes where they are
 * JSON, so that a memory can be read and searched inside, else `{"text":…}` or `{"base64":…}`.
 */
export function encodeBlob(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes)
  if (text === undefined) return `{"base64":"${Buffer.from(bytes).toString('base64')}"}`
  return isOneValue(text) ? `{"json":${text}}` : `{"text":${JSON.stringify(text)}}`
}

/** Returns the bytes that `encodeBlob` encoded; `undefined` for any other JSON text. */
export function decodeBlob(encoded: Uint8Array): Uint8Array | undefined {
  const [[form, value] = [], ...others] = readMembers(encoded)
  if (value === undefined || others.length > 0) return undefined
  if (form === 'json') return value
  const text: unknown = JSON.parse(new TextDecoder().decode(value))
  if (typeof text !== 'string') return undefined
  if (form === 'text') return new TextEncoder().encode(text)
  return form === 'base64' ? new Uint8Array(Buffer.from(text, 'base64')) : undefined
}

const prefix = '{"json":'

/** The levels of a document around a blob, and some to spare. */
const around = 16

/** Returns whether a text is one JSON value without space around it, and not nested too deep. */
function isOneValue(text: string): boolean {
  try {
    const bytes = new TextEncoder().encode(`${prefix}${text}}`)
    const isOne = readMembers(bytes).get('json')?.length === bytes.length - prefix.length - 1
    readMembers(
      new TextEncoder().encode(`${prefix}${'['.repeat(around)}${text}${']'.repeat(around)}}`),
    )
    return isOne && text.trim() === text
  } catch (error) {
    if (isFailure(error)) return false
    throw error
  }
}
