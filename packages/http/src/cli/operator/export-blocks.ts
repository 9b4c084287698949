import { hash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { storedBlocks } from '@heirloom/adapters/internal/block-folder'
import { Failure } from '@heirloom/core'
import { type Environment, readChainConfig } from '../../config/config.ts'
import { blobFolder } from '../../server/whole-folder.ts'

/** The result of an export. */
export type BlockExport = {
  readonly copied: number
  readonly present: number
  /** The names of the blocks whose bytes do not match their digest. */
  readonly damaged: readonly string[]
}

/**
 * Copies the blocks in DATA_DIR into a folder, each into a file of its own.
 *
 * @throws `config/invalid`, `folder/unusable` for a folder without blocks
 */
export async function exportBlocks(env: Environment, to: string): Promise<BlockExport> {
  const folder = resolve(readChainConfig(env).dataDir)
  if (!existsSync(join(folder, blobFolder))) {
    const problem = `it holds no ${blobFolder}, which the first start of a server makes; set DATA_DIR to the folder of a server`
    throw new Failure('folder/unusable', { folder, problem })
  }
  const blocks = storedBlocks(join(folder, blobFolder))
  const found: Record<Copy, string[]> = { copied: [], present: [], damaged: [], gone: [] }
  try {
    for (const path of (await blocks.list()).keys()) {
      found[copyBlock(await blocks.get(path), { to, path })].push(path)
    }
  } finally {
    blocks.close()
  }
  const { copied, present, damaged } = found
  return { copied: copied.length, present: present.length, damaged }
}

/** The fate of the copy of a block; a server that runs may have removed the block. */
type Copy = 'copied' | 'present' | 'damaged' | 'gone'

function copyBlock(
  bytes: Uint8Array | undefined,
  { to, path }: { to: string; path: string },
): Copy {
  if (bytes === undefined) return 'gone'
  if (!path.endsWith(hash('sha256', bytes))) return 'damaged'
  if (existsSync(join(to, path))) return 'present'
  writeWhole(join(to, path), bytes)
  return 'copied'
}

function writeWhole(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, bytes)
  renameSync(`${path}.new`, path)
}
