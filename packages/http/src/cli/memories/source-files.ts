import { constants, type Dirent } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, readlink, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { Omission, SourceFile } from '@heirloom/adapters/formats'
import { UsageError } from '../arguments/command.ts'
import { cannotRead, writeAtomically } from '../terminal/files.ts'

/** The files of an import, and what was left out while they were read. */
export type ReadFiles = {
  readonly files: readonly SourceFile[]
  readonly left: readonly Omission[]
}

/** The most bytes and files that are read; an import takes no more. */
const most = { bytes: 64 * 2 ** 20, files: 10_000 } as const

/**
 * Reads a file, or all files of a folder. In a folder symbolic links are not followed, wherever they
 * lead, and are reported with what else is no file; `.git` is not read.
 *
 * @throws a `UsageError` that names a path that does not exist, or says that it has too much
 */
export async function readSourceFiles(path: string): Promise<ReadFiles> {
  const found = await stat(path).catch((error: unknown) => {
    throw cannotRead(path, error)
  })
  const read: Reading = { root: path, files: [], left: [], bytes: 0 }
  if (found.isDirectory()) await readFolder(read, '')
  else read.files.push({ path: basename(path), bytes: await readBytes(read, path, 0) })
  const files = read.files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
  return { files, left: read.left }
}

type Reading = {
  readonly root: string
  readonly files: SourceFile[]
  readonly left: Omission[]
  bytes: number
}

async function readFolder(read: Reading, folder: string): Promise<void> {
  for (const entry of await readdir(join(read.root, folder), { withFileTypes: true })) {
    await readEntry(read, folder === '' ? entry.name : `${folder}/${entry.name}`, entry)
  }
}

async function readEntry(read: Reading, path: string, entry: Dirent): Promise<void> {
  if (entry.name === '.git') read.left.push(gitOmission(path))
  else if (await isGarbled(join(read.root, path)))
    read.left.push({ what: path, why: garbled, isLoss: true })
  else if (entry.isDirectory()) await readFolder(read, path)
  else if (entry.isFile()) await addFile(read, path)
  else read.left.push({ what: path, why: await whyLeft(read.root, path), isLoss: true })
}

const garbled = 'its name is not UTF-8; rename it'

/** Returns whether a name was not UTF-8, so that nothing is found under the text that Node made of it. */
const isGarbled = async (path: string): Promise<boolean> =>
  path.includes('\u{FFFD}') && (await findAt(path)) === undefined

const gitOmission = (what: string): Omission => ({
  what,
  why: 'the git history is not part of the memory',
})

async function addFile(read: Reading, path: string): Promise<void> {
  if (read.files.length === most.files) {
    throw new UsageError(`${read.root} has more than ${most.files} files; import a part of it.`)
  }
  const bytes = await readBytes(read, join(read.root, path), constants.O_NOFOLLOW)
  read.files.push({ path, bytes })
}

/** Reads a file that has not become a link since it was listed. */
async function readBytes(read: Reading, path: string, flags: number): Promise<Uint8Array> {
  const file: FileHandle = await open(path, constants.O_RDONLY | flags).catch((error: unknown) => {
    throw cannotRead(path, error)
  })
  try {
    read.bytes += (await file.stat()).size
    if (read.bytes > most.bytes) {
      throw new UsageError(
        `${read.root} has more than ${most.bytes} bytes, which is the most of a memory.`,
      )
    }
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** Returns what a thing in a folder is that is neither a file nor a folder. */
async function whyLeft(root: string, path: string): Promise<string> {
  const target = await readlink(join(root, path)).catch(() => undefined)
  if (target === undefined) return 'it is neither a file nor a folder'
  const from = dirname(resolve(root, path))
  const isInside = `${resolve(from, target)}${sep}`.startsWith(`${resolve(root)}${sep}`)
  const where = isInside ? '' : ', outside of the folder'
  return `it is a symbolic link to ${target}${where}; links are not followed`
}

/**
 * Writes files into a folder. Writes nothing outside of it, follows no symbolic link in it, and
 * overwrites nothing.
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
  if ((await findAt(target)) !== undefined) {
    throw new UsageError(`${target} exists already; nothing was written.`)
  }
  for (let above = dirname(target); above !== root; above = dirname(above)) {
    if ((await findAt(above))?.isSymbolicLink() !== true) continue
    throw new UsageError(`${above} is a symbolic link, which is not followed; nothing was written.`)
  }
}

const findAt = (path: string) => lstat(path).catch(() => undefined)
