import { hash } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ifPresent, readWhole } from '../platform/durable-files.ts'
import { isSystemError, unavailable } from './blob-failure.ts'
import { digestOfName, nameOfDigest, pathOf, shardOf } from './cid.ts'
import {
  type CompactedBlocks,
  hasAnyCompacted,
  hasCompacted,
  openCompacted,
} from './compacted-blocks.ts'

/** Returns whether a folder that no process has open as a blob store holds a block. */
export function hasBlocks(folder: string): boolean {
  return pathsIn(folder, namesIfReadable).length > 0 || hasAnyCompacted(folder)
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
   *
   * @throws `blob/unavailable`
   */
  list(): Promise<ReadonlyMap<string, number>>
  /**
   * Returns a block by that path, whose bytes the caller verifies; `undefined` if there is none.
   *
   * @throws `blob/unavailable`
   */
  get(path: string): Promise<Uint8Array | undefined>
  close(): void
}

/** Opens the blocks in a folder, also those that were moved into one file. */
export function storedBlocks(folder: string): StoredBlocks {
  const moved = lazily(() => openCompacted(folder))
  return {
    list: async () => reach('list the blocks', async () => listAll(folder, moved.value)),
    get: async (path) =>
      reach('read a block', async () => {
        const file = await ifPresent(readWhole(join(folder, 'blocks', path)))
        if (file !== undefined && path.endsWith(hash('sha256', file))) return file
        return moved.value()?.read(digestOfName(path.slice(shardLength))) ?? file
      }),
    close: () => moved.close(),
  }
}

/** Opens the moved blocks once there are any. */
function lazily(open: () => CompactedBlocks | undefined) {
  let opened: CompactedBlocks | undefined
  return {
    value: () => {
      opened ??= open()
      return opened
    },
    close: () => opened?.close(),
  }
}

async function reach<T>(operation: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    throw unavailable(operation, cause)
  }
}

/** Lists the files first: a block that is moved meanwhile is found twice, and never left out. */
function listAll(
  folder: string,
  moved: () => CompactedBlocks | undefined,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const path of pathsIn(folder, namesInFolder)) {
    const file = statSync(join(folder, 'blocks', path), { throwIfNoEntry: false })
    if (file?.isFile()) found.set(path, file.size)
  }
  for (const { digest, length } of moved()?.lengths() ?? []) {
    found.set(pathOf(nameOfDigest(digest)), length)
  }
  return found
}

/** The length of the folder of a block and the slash after it. */
const shardLength = 3

/** Returns the paths of the files of blocks. */
function pathsIn(folder: string, list: (folder: string) => readonly string[]): readonly string[] {
  const blocks = join(folder, 'blocks')
  const shards = list(blocks).filter((name) => /^[0-9a-f]{2}$/.test(name))
  return shards.flatMap((shard) =>
    list(join(blocks, shard))
      .filter((name) => /^1220[0-9a-f]{64}$/.test(name) && shardOf(name) === shard)
      .map(pathOf),
  )
}

/** Lists a folder; one that is missing is empty. */
function namesInFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return []
    throw error
  }
}

/** Lists a folder; one that cannot be read is empty, which the blob store reports better. */
function namesIfReadable(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
