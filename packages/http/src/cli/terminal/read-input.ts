import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { UsageError } from '../arguments/usage-error.ts'
import type { Terminal } from './terminal.ts'

/**
 * Reads a file, or standard input for `-`.
 *
 * @throws a `UsageError` that says why the file cannot be read
 */
export async function readInput(
  { stdin }: Pick<Terminal, 'stdin'>,
  path: string,
): Promise<Uint8Array> {
  if (path === '-') return buffer(stdin)
  return readFile(path).catch((error: unknown) => {
    throw cannotRead(path, error)
  })
}

/** Reads a file; returns undefined when it cannot be read. */
export async function readIfExists(path: string): Promise<Uint8Array | undefined> {
  return readFile(path).catch(() => undefined)
}

/** Returns the error for a file or folder that cannot be read. */
export function cannotRead(path: string, error: unknown): UsageError {
  const { code } = Object(error) as { readonly code?: unknown }
  return new UsageError(`Cannot read ${path}: ${problems[String(code)] ?? code}.`)
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
}
