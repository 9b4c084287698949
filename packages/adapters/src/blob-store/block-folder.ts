import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isSystemError } from './block-error.ts'
import { digestOfName, nameOfDigest, shardOf } from './block-name.ts'
import { hasAnyCompacted, hasCompacted, openCompacted } from './compacted-blocks.ts'
import { readWhole } from './durable-file.ts'

/** Returns whether a folder that no process has open as a blob store holds a block. */
export function hasBlocks(folder: string): boolean {
  return pathsIn(folder).next().done !== true || hasAnyCompacted(folder)
}

/** Returns whether such a folder holds the root block of a blob. */
export function hasRootBlock(folder: string, digest: string): boolean {
  const name = nameOfDigest(Buffer.from(digest.slice(2), 'hex'))
  if (existsSync(join(folder, 'blocks', pathOf(name)))) return true
  return hasCompacted(folder, digestOfName(name))
}

/** The blocks in a folder, which a process may have open as a blob store. */
export type StoredBlocks = {
  /**
   * Returns the path that each block has, or had, below the folder `blocks`, with its length in bytes.
   */
  list(): Promise<ReadonlyMap<string, number>>
  /** Returns a block by that path, whose bytes the caller verifies; `undefined` if there is none. */
  get(path: string): Promise<Uint8Array | undefined>
  close(): void
}

/** Opens the blocks in a folder, also those that were moved into one file. */
export function storedBlocks(folder: string): StoredBlocks {
  let compacted = openCompacted(folder)
  return {
    // The files first: a block that is moved meanwhile is found twice, and never left out.
    list: async () => {
      const found = new Map<string, number>()
      for (const path of pathsIn(folder)) {
        const file = statSync(join(folder, 'blocks', path), { throwIfNoEntry: false })
        if (file?.isFile()) found.set(path, file.size)
      }
      compacted ??= openCompacted(folder)
      for (const { digest, length } of compacted?.lengths() ?? []) {
        found.set(pathOf(nameOfDigest(digest)), length)
      }
      return found
    },
    get: async (path) => {
      const bytes = await readWhole(join(folder, 'blocks', path)).catch((error: unknown) => {
        if (isSystemError(error) && error.code === 'ENOENT') return undefined
        throw error
      })
      if (bytes !== undefined) return bytes
      compacted ??= openCompacted(folder)
      return compacted?.read(digestOfName(path.slice(shardLength)))
    },
    close: () => compacted?.close(),
  }
}

/** The length of the folder of a block and the slash after it. */
const shardLength = 3

const pathOf = (name: string): string => `${shardOf(name)}/${name}`

/** Lists the paths of the files of blocks. */
function* pathsIn(folder: string): Generator<string> {
  const blocks = join(folder, 'blocks')
  for (const shard of namesIn(blocks)) {
    for (const name of namesIn(join(blocks, shard))) {
      if (/^1220[0-9a-f]{64}$/.test(name) && shardOf(name) === shard) yield pathOf(name)
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // The folder is missing, or it is a file, which the blob store reports better.
    return []
  }
}
