import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { BlobVerification } from '@heirloom/core'
import { readWhole } from '../platform/durable-files.ts'
import { isSystemError } from './blob-failure.ts'
import { nameOfBytes, nameOfDigest } from './cid.ts'
import { openCompacted } from './compacted-blocks.ts'

/**
 * Checks the newest blocks in a folder of `DurableBlockstore`, at most `limit` of them. Returns the
 * number of checked blocks, and the names of those whose bytes no longer match their digest.
 */
export async function verifyBlocks(folder: string, limit: number): Promise<BlobVerification> {
  const files = blocksIn(join(folder, 'blocks'))
  const moved = openCompacted(folder)
  try {
    // What was moved is older, but where memories are small it is nearly all.
    const older = moved?.newest(Math.max(limit - files.length, limit >> 1)) ?? []
    const newer = newestOf(files).slice(0, limit - older.length)
    const corrupt: string[] = []
    for (const { path, name } of newer) if (await isCorrupt(path, name)) corrupt.push(name)
    for (const { digest, bytes } of older) {
      const name = nameOfDigest(digest)
      if (nameOfBytes(bytes) !== name) corrupt.push(name)
    }
    return { checked: newer.length + older.length, corrupt }
  } finally {
    moved?.close()
  }
}

const newestOf = (files: readonly Block[]): readonly Block[] =>
  files.toSorted((one, other) => other.writtenAt - one.writtenAt)

type Block = { readonly name: string; readonly path: string; readonly writtenAt: number }

function blocksIn(folder: string): readonly Block[] {
  const shards = list(folder).filter((name) => /^[0-9a-f]{2}$/.test(name))
  return shards.flatMap((shard) =>
    list(join(folder, shard)).flatMap((name) => {
      const path = join(folder, shard, name)
      const file = statSync(path, { throwIfNoEntry: false })
      return file === undefined ? [] : [{ name, path, writtenAt: file.mtimeMs }]
    }),
  )
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
}

async function isCorrupt(path: string, name: string): Promise<boolean> {
  try {
    return nameOfBytes(await readWhole(path)) !== name
  } catch (error) {
    // A store that is open may remove a block meanwhile.
    if (isNotFound(error)) return false
    throw error
  }
}

const isNotFound = (error: unknown): boolean => isSystemError(error) && error.code === 'ENOENT'
