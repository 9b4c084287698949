import { lstat, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { SourceFile } from '@heirloom/adapters/formats'
import { writeWhole } from './read-input.ts'
import { UsageError } from '../arguments/usage-error.ts'

/** Returns a file, or all files of a folder, without following links and without `.git`. */
export async function readSources(path: string): Promise<readonly SourceFile[]> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw new UsageError('PATH names nothing that can be read.')
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

/** Writes files into a folder, and nothing outside of it or in the place of something else. */
export async function writeSources(folder: string, files: readonly SourceFile[]): Promise<void> {
  const root = resolve(folder)
  for (const { path } of files) await refuseTaken(root, path)
  for (const { path, bytes } of files) {
    await mkdir(dirname(join(root, path)), { recursive: true, mode: 0o700 })
    await writeWhole('DIR', join(root, path), bytes)
  }
}

async function refuseTaken(root: string, path: string): Promise<void> {
  const target = resolve(root, path)
  if (!target.startsWith(`${root}${sep}`)) {
    throw new UsageError('The memory names a file outside of DIR; nothing was written.')
  }
  const there = await lstat(target).catch(() => undefined)
  if (there !== undefined)
    throw new UsageError('DIR holds such files already; nothing was written.')
}
