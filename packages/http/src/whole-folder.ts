import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Failure } from '@heirloom/core'
import { catalogueFile } from './browsing.ts'
import type { Config } from './config.ts'

/** The file in a data folder that holds the history of the embedded chain. */
export const chainFile = 'chain.sqlite'

/** The file in a data folder that holds the key of the agent wallet. */
export const agentFile = 'agent.key'

/** The folder in a data folder that holds the blocks. */
export const blobFolder = 'blobs'

/**
 * Refuses a data folder that lacks a file which others in it need: a chain or a wallet that is made
 * anew beside them would hide that they were lost. It writes nothing.
 *
 * @throws `folder/incomplete`
 */
export function requireWholeFolder(
  { chain, agentKey }: Pick<Config, 'chain' | 'agentKey'>,
  folder: string,
): void {
  if (chain.kind !== 'embedded') return
  const hasChain = existsSync(join(folder, chainFile))
  if (!hasChain) refuseNewChain(folder)
  else if (agentKey === undefined && !existsSync(join(folder, agentFile))) {
    throw incomplete(folder, agentFile, chainFile)
  }
}

function refuseNewChain(folder: string): void {
  if (hasTokens(join(folder, catalogueFile))) throw incomplete(folder, chainFile, catalogueFile)
  if (hasBlobs(folder)) throw incomplete(folder, chainFile, blobFolder)
}

const incomplete = (folder: string, missing: string, beside: string) =>
  new Failure('folder/incomplete', {
    missing: join(folder, missing),
    beside: join(folder, beside),
  })

/** Tells whether a data folder holds any block of a memory or of a card. */
export function hasBlobs(folder: string): boolean {
  const blocks = join(folder, blobFolder, 'blocks')
  return namesIn(blocks).some((shard) =>
    namesIn(join(blocks, shard)).some((name) => /[0-9a-f]{64}$/.test(name)),
  )
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // There is none, or it is no folder, which the store of the blobs says better.
    return []
  }
}

function hasTokens(path: string): boolean {
  if (!existsSync(path)) return false
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path, { timeout: 0 })
    // Without it a reader leaves files of its own behind.
    file.exec('PRAGMA locking_mode = EXCLUSIVE')
    return file.prepare('SELECT id FROM token LIMIT 1').get() !== undefined
  } catch {
    // What cannot be read is made again from the chain.
    return false
  } finally {
    file?.close()
  }
}
