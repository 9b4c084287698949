import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isSystemError } from './block-error.ts'
import { nameOfBytes } from './durable-blockstore.ts'
import { readWhole } from './durable-file.ts'

/**
 * Reads the newest blocks in a folder of `DurableBlockstore` again, at most `most` of them.
 * Returns how many were read and the names of those whose bytes no longer have their digest.
 */
export async function corruptBlocksIn({
  folder,
  most,
}: {
  readonly folder: string
  readonly most: number
}): Promise<{ readonly read: number; readonly corrupt: readonly string[] }> {
  const newest = blocksIn(join(folder, 'blocks'))
    .toSorted((one, other) => other.writtenAt - one.writtenAt)
    .slice(0, most)
  const corrupt: string[] = []
  for (const { path, name } of newest) {
    if (await isDamaged(path, name)) corrupt.push(name)
  }
  return { read: newest.length, corrupt }
}

type Block = { readonly name: string; readonly path: string; readonly writtenAt: number }

function blocksIn(folder: string): readonly Block[] {
  const shards = listed(folder).filter((name) => /^[0-9a-f]{2}$/.test(name))
  return shards.flatMap((shard) =>
    listed(join(folder, shard)).flatMap((name) => {
      const path = join(folder, shard, name)
      const file = statSync(path, { throwIfNoEntry: false })
      return file === undefined ? [] : [{ name, path, writtenAt: file.mtimeMs }]
    }),
  )
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isAbsence(error)) return []
    throw error
  }
}

async function isDamaged(path: string, name: string): Promise<boolean> {
  try {
    return nameOfBytes(await readWhole(path)) !== name
  } catch (error) {
    // An open store may remove a block at any time.
    if (isAbsence(error)) return false
    throw error
  }
}

const isAbsence = (error: unknown): boolean => isSystemError(error) && error.code === 'ENOENT'
