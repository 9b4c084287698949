import { readFile } from 'node:fs/promises'
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
  if (path === '-') return readBounded(stdin)
  return readFile(path).catch((error: unknown) => {
    throw cannotRead(path, error)
  })
}

/** The most that standard input may hold: more than any server accepts. */
const most = 2 ** 30

async function readBounded(stdin: Terminal['stdin']): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > most) throw new UsageError('Standard input has more than 1 GiB; use less.')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
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
  ENOTDIR: 'a part of the path is no folder',
  ENAMETOOLONG: 'the name is too long',
  ERR_FS_FILE_TOO_LARGE: 'it has more than 2 GiB',
}
