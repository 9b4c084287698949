import { open, realpath, unlink } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { Failure } from '@heirloom/core'
import { contentHashOf } from '../../client/content-hash.ts'
import type { Provenance } from '../../client/responses.ts'

/** A folder for memories as files; paths cannot leave it. */
export type MemoryFolder = {
  /** Returns the bytes of a file. */
  readonly read: (path: string) => Promise<Uint8Array>
  /** Creates a file; fails when it exists. */
  readonly save: (path: string, bytes: Uint8Array) => Promise<void>
}

/** The largest file to read, in bytes. */
const largestFile = 2 ** 28

/**
 * Creates the folder that tools use. A deceived model must not read the secrets of its user, or
 * write where programs look: paths are relative and stay inside, links included, and files are never
 * replaced.
 *
 * Both methods fail with `request/malformed` for other paths, and when the file system refuses.
 */
export function memoryFolder(root: string): MemoryFolder {
  return {
    read: (path) => translateErrors(async () => readInside(await locate(root, path))),
    save: (path, bytes) => translateErrors(async () => saveInside(await locate(root, path), bytes)),
  }
}

type Location = { readonly root: string; readonly file: string }

async function locate(root: string, path: string): Promise<Location> {
  if (isAbsolute(path) || path.includes('\0')) throw invalidPath('must be relative to the folder')
  const folder = await realpath(root)
  const file = resolve(folder, path)
  // Resolves links in the path.
  const parent = await realpath(dirname(file))
  if (!isInside(folder, file) || !isInside(folder, join(parent, 'file'))) throw outsideFolder()
  return { root: folder, file }
}

function isInside(folder: string, file: string): boolean {
  const path = relative(folder, file)
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}

async function readInside({ root, file }: Location): Promise<Uint8Array> {
  if (!isInside(root, await realpath(file))) throw outsideFolder()
  const handle = await open(file, 'r')
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw invalidPath('must be a file')
    if (stats.size > largestFile) throw invalidPath(`must be of at most ${largestFile} bytes`)
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

async function saveInside({ file }: Location, bytes: Uint8Array): Promise<void> {
  // `wx` fails for an existing file or link. Only the user may read a decrypted memory.
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
  } catch (error) {
    // A partial file would look like the memory, and would block another attempt.
    await unlink(file).catch(() => undefined)
    throw error
  } finally {
    await handle.close()
  }
}

const problems: Readonly<Record<string, string>> = {
  EEXIST: 'must not exist yet, because files are never replaced',
  ENOENT: 'must exist, or at least its folder',
  EACCES: 'must be accessible to this user',
  EISDIR: 'must be a file',
  ENOTDIR: 'must lead through folders',
  ELOOP: 'must not contain a loop of links',
  ENAMETOOLONG: 'must be shorter',
}

async function translateErrors<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation()
  } catch (error) {
    const problem = problems[(error as NodeJS.ErrnoException).code ?? '']
    throw problem === undefined ? error : invalidPath(problem)
  }
}

const invalidPath = (problem: string) =>
  new Failure('request/malformed', { where: 'path', problem })
const outsideFolder = () => invalidPath('must stay inside the folder of memories')

export declare namespace verify {
  type Input = { readonly salt: string; readonly document: Uint8Array }
}

/** Compares the hash of a document with the recorded content hash. */
export async function verify(
  { tokenId, contentHash }: Pick<Provenance, 'tokenId' | 'contentHash'>,
  { salt, document }: verify.Input,
) {
  const computed = await contentHashOf(salt as `0x${string}`, document)
  return { tokenId, contentHash, computed, matches: computed === contentHash }
}
