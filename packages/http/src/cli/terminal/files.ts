import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { UsageError } from '../arguments/command.ts'
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

/** Returns a text without the byte order mark that it begins with, if it does. */
export function withoutMark<Buffer extends ArrayBufferLike>(
  bytes: Uint8Array<Buffer>,
): Uint8Array<Buffer> {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return isMarked ? bytes.subarray(3) : bytes
}

/** The most that standard input may hold: more than any server accepts. */
const longestInput = 2 ** 30

async function readBounded(stdin: Terminal['stdin']): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > longestInput) throw new UsageError('Standard input has more than 1 GiB; use less.')
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

/**
 * Writes a file that only its owner can read. An earlier file stays until the new one is complete.
 *
 * @throws a `UsageError` that names the file
 */
export async function writeAtomically(path: string, bytes: Uint8Array | string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(temporary, bytes, { mode: 0o600, flag: 'wx' })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw new UsageError(`Cannot write ${path} (${Object(error).code}).`)
  }
}

/**
 * Requires that no file would be replaced, unless the caller said so with `--force`.
 *
 * @throws a `UsageError` that names the first file that exists
 */
export function requireFree(
  { force }: { readonly force?: boolean | undefined },
  ...files: readonly (string | undefined)[]
): void {
  const existing = force ? undefined : files.find((file) => file !== undefined && existsSync(file))
  if (existing === undefined) return
  throw new UsageError(`${existing} exists. Choose another name, or pass --force to replace it.`)
}
