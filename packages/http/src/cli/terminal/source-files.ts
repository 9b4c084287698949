import { lstat, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { SourceFile } from '@heirloom/adapters/formats'
import { UsageError } from '../arguments/usage-error.ts'
import { cannotRead } from './read-input.ts'
import { writeAtomically } from './write-atomically.ts'

/**
 * Reads a file, or all files of a folder. Does not follow symbolic links, and skips `.git`.
 *
 * @throws a `UsageError` that names a path that does not exist
 */
export async function readSourceFiles(path: string): Promise<readonly SourceFile[]> {
  const found = await stat(path).catch((error: unknown) => {
    throw cannotRead(path, error)
  })
  if (!found.isDirectory()) return [{ path: basename(path), bytes: await readFile(path) }]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(path, sep).length))
    .filter((name) => !name.split(sep).includes('.git'))
    .toSorted()
  return Promise.all(
    files.map(async (name) => ({
      path: name.split(sep).join('/'),
      bytes: await readFile(join(path, name)),
    })),
  )
}

/**
 * Writes files into a folder. Writes nothing outside of it, and overwrites nothing.
 *
 * @throws a `UsageError` before anything is written
 */
export async function writeSourceFiles(
  folder: string,
  files: readonly SourceFile[],
): Promise<void> {
  const root = resolve(folder)
  for (const { path } of files) await requireFree(root, path)
  for (const { path, bytes } of files) {
    await mkdir(dirname(join(root, path)), { recursive: true, mode: 0o700 })
    await writeAtomically(join(root, path), bytes)
  }
}

async function requireFree(root: string, path: string): Promise<void> {
  const target = resolve(root, path)
  if (!target.startsWith(`${root}${sep}`)) {
    throw new UsageError('The memory names a file outside of DIR; nothing was written.')
  }
  const existing = await lstat(target).catch(() => undefined)
  if (existing !== undefined) throw new UsageError(`${target} exists already; nothing was written.`)
}
