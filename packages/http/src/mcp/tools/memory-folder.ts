import { open, realpath, unlink } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { Failure } from '@heirloom/core'

/** A folder that memories are read from and saved in, and nothing outside of it. */
export type MemoryFolder = {
  /** Returns the bytes of a file. */
  readonly read: (path: string) => Promise<Uint8Array>
  /** Makes a file that is not there yet. */
  readonly save: (path: string, bytes: Uint8Array) => Promise<void>
}

/** The largest file that is read, in bytes. */
const largestFile = 2 ** 28

/**
 * Returns a folder for tools: a model that was talked into it must not read the secrets of its user
 * or write where programs look. Paths are relative and stay inside, whatever links are on the way;
 * files are never replaced.
 *
 * Both fail with `request/malformed` where that does not hold or the file system refuses.
 */
export function memoryFolder(root: string): MemoryFolder {
  return {
    read: (path) => told(async () => readHere(await placeOf(root, path))),
    save: (path, bytes) => told(async () => saveHere(await placeOf(root, path), bytes)),
  }
}

type Place = { readonly root: string; readonly file: string }

async function placeOf(root: string, path: string): Promise<Place> {
  if (isAbsolute(path) || path.includes('\0')) throw refused('must be relative to the folder')
  const folder = await realpath(root)
  const file = resolve(folder, path)
  // What a link on the way leads to is what counts.
  const parent = await realpath(dirname(file))
  if (!isInside(folder, file) || !isInside(folder, join(parent, 'file'))) throw outside()
  return { root: folder, file }
}

function isInside(folder: string, file: string): boolean {
  const path = relative(folder, file)
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}

async function readHere({ root, file }: Place): Promise<Uint8Array> {
  if (!isInside(root, await realpath(file))) throw outside()
  const handle = await open(file, 'r')
  try {
    const about = await handle.stat()
    if (!about.isFile()) throw refused('must be a file')
    if (about.size > largestFile) throw refused(`must be of at most ${largestFile} bytes`)
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

async function saveHere({ file }: Place, bytes: Uint8Array): Promise<void> {
  // Refuses what is there, a link too. What was sealed is for its owner alone.
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
  } catch (error) {
    // A half of it would be taken for the memory, and stand in the way of another try.
    await unlink(file).catch(() => undefined)
    throw error
  } finally {
    await handle.close()
  }
}

const problems: Readonly<Record<string, string>> = {
  EEXIST: 'must not exist yet, for files are never replaced',
  ENOENT: 'must be there, or at least its folder',
  EACCES: 'must be one that this user may open',
  EISDIR: 'must be a file',
  ENOTDIR: 'must lead through folders',
  ELOOP: 'must not lead in a circle',
  ENAMETOOLONG: 'must be shorter',
}

async function told<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const problem = problems[(error as NodeJS.ErrnoException).code ?? '']
    throw problem === undefined ? error : refused(problem)
  }
}

const refused = (problem: string) => new Failure('request/malformed', { where: 'path', problem })
const outside = () => refused('must stay inside the folder of memories')
