import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { Terminal } from './terminal.ts'
import { UsageError } from '../arguments/usage-error.ts'

/** Returns what a file holds; `-` is standard input. */
export async function readInput(
  { stdin }: Pick<Terminal, 'stdin'>,
  { name, path }: { readonly name: string; readonly path: string },
): Promise<Uint8Array> {
  if (path === '-') return buffer(stdin)
  const bytes = await bytesIfThere(path)
  if (bytes === undefined) throw new UsageError(`${name} names nothing that can be read.`)
  return bytes
}

/** Returns what a file holds, where it can be read. */
export async function bytesIfThere(path: string): Promise<Uint8Array | undefined> {
  return readFile(path).catch(() => undefined)
}

/** Writes a file that only its owner may read; until it is whole, what was there before stays. */
export async function writeWhole(
  name: string,
  path: string,
  bytes: Uint8Array | string,
): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(aside, bytes, { mode: 0o600, flag: 'wx' })
    await rename(aside, path)
  } catch {
    await rm(aside, { force: true })
    throw new UsageError(`${name} names no place where a file can be written.`)
  }
}
