import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { getSystemErrorMessage } from 'node:util'
import { Failure, isFailure } from '@heirloom/core'
import { openDataFolder } from '../platform/data-folder.ts'
import { ifPresent, makeFolder, syncFolder, writeSynced } from '../platform/durable-files.ts'
import type { Objects } from './objects.ts'

/** The steps of storing objects in a folder; a crash may come between any two. */
export type FileSteps = {
  /** Writes a new file that only this user can read, and makes its bytes durable. */
  readonly write: (path: string, bytes: Uint8Array) => Promise<void>
  readonly rename: (from: string, to: string) => Promise<void>
  readonly remove: (path: string) => Promise<void>
}

/** The steps on the file system. */
export const fileSteps: FileSteps = {
  write: (path, bytes) => writeSynced(path, bytes, { mode: 0o600 }),
  rename,
  remove: (path) => rm(path, { recursive: true, force: true }),
}

export declare namespace folderObjects {
  type Options = {
    /** Locks the folder for this process alone, and creates it where it is missing. */
    readonly forWriting: boolean
    readonly steps?: FileSteps
  }
}

/** The folder for files that have no name yet. */
const unfinished = 'unfinished'

/** The files of a folder that are no objects. */
const ownFiles = /^(lock\.sqlite.*|lost\+found(\/.*)?|unfinished\/.*)$/

/**
 * Opens a folder of objects, each a file that only this user can read. A file has its name only when
 * it is whole and durable.
 *
 * @throws `backup/unusable` when another process writes there, `backup/unavailable`
 */
export function folderObjects(
  path: string,
  { forWriting, steps = fileSteps }: folderObjects.Options,
): Objects {
  const place = resolve(path)
  const reach = reachOf(place)
  const lock = forWriting ? lockPlace(place) : undefined
  const made = new Set<string>()
  const makeOnce = (folder: string) => {
    if (!made.has(folder)) makeFolder(folder, 0o700)
    made.add(folder)
  }
  return {
    place,
    list: () => reach('list', () => listFiles(place)),
    get: (name) => reach(`read ${name}`, () => ifPresent(readFile(join(place, name)))),
    put: (name, bytes) =>
      reach(`write ${name}`, async () => {
        const target = join(place, name)
        const temporary = join(place, unfinished, randomUUID())
        for (const folder of [dirname(temporary), dirname(target)]) makeOnce(folder)
        await steps.write(temporary, bytes)
        await steps.rename(temporary, target)
        await syncFolder(dirname(target))
      }),
    remove: (name) => reach(`remove ${name}`, () => steps.remove(join(place, name))),
    close: () => lock?.close(),
  }
}

function lockPlace(place: string) {
  try {
    const lock = openDataFolder(place)
    // What a killed process wrote and gave no name.
    rmSync(join(place, unfinished), { recursive: true, force: true })
    return lock
  } catch (cause) {
    if (isFailure(cause, 'folder/in-use')) {
      const problem = 'another backup is being made there; wait for its end'
      throw new Failure('backup/unusable', { place, problem }, { cause })
    }
    throw unavailable(place, 'open', cause)
  }
}

/** Returns the failure of an operation, with what the system says of it, such as that a disk is full. */
function unavailable(place: string, operation: string, cause: unknown): Failure {
  const { errno } = Object(cause) as { readonly errno?: unknown }
  const reason = typeof errno === 'number' ? `: ${getSystemErrorMessage(errno)}` : ''
  const facts = { place, operation: `${operation}${reason}` }
  return new Failure('backup/unavailable', facts, { cause })
}

const reachOf =
  (place: string) =>
  async <T>(operation: string, act: () => Promise<T>): Promise<T> => {
    try {
      return await act()
    } catch (cause) {
      throw unavailable(place, operation, cause)
    }
  }

async function listFiles(root: string): Promise<ReadonlyMap<string, number>> {
  const names = existsSync(root) ? await namesBelow(root, '') : []
  // A file may be removed meanwhile.
  const files = await Promise.all(names.map((name) => ifPresent(stat(join(root, name)))))
  const found = names.map((name, index) => [name, files[index]?.size] as const)
  return new Map(found.flatMap(([name, length]) => (length === undefined ? [] : [[name, length]])))
}

async function namesBelow(root: string, folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const names = await Promise.all(
    entries.map((entry) => {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`
      return entry.isDirectory() ? namesBelow(root, name) : [name]
    }),
  )
  return names.flat().filter((name) => !ownFiles.test(name))
}
