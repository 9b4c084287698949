import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Failure } from '@heirloom/core'
import { catalogueFile } from './open-catalogue.ts'
import type { Config } from '../config/config.ts'
import { jobFile } from './open-job-store.ts'

/** The file in a data folder that holds the history of the embedded chain. */
export const chainFile = 'chain.sqlite'

/** The file in a data folder that holds the key of the agent wallet. */
export const agentFile = 'agent.key'

/** The folder in a data folder that holds the blocks. */
export const blobFolder = 'blobs'

/**
 * Refuses a data folder that lacks what others in it need: a chain, a wallet or a store of blobs
 * that is made anew beside them would hide that they were lost. It writes nothing.
 *
 * @throws `folder/incomplete`
 */
export function requireWholeFolder(
  { chain, agentKey }: Pick<Config, 'chain' | 'agentKey'>,
  folder: string,
): void {
  if (chain.kind !== 'embedded') return
  const hasAgent = agentKey !== undefined || existsSync(join(folder, agentFile))
  const lost = [
    { missing: chainFile, beside: neededChain(folder) },
    { missing: agentFile, beside: hasAgent ? undefined : journalOf(folder) },
    { missing: blobFolder, beside: neededBlobs(folder) },
  ].find(({ beside }) => beside !== undefined)
  if (lost?.beside === undefined) return
  throw incomplete(join(folder, lost.missing), join(folder, lost.beside))
}

/**
 * Refuses to go on without a file while anything was made in a data folder that needs it.
 *
 * @throws `folder/incomplete`
 */
export function requireNothingMade(folder: string, missing: string): void {
  const beside = madeIn(folder)
  if (beside !== undefined) throw incomplete(missing, join(folder, beside))
}

const incomplete = (missing: string, beside: string) =>
  new Failure('folder/incomplete', { missing, beside })

/** Returns what is in a data folder and needs the history of a chain, where that is missing. */
export function neededChain(folder: string): string | undefined {
  return hasChain(folder) ? undefined : madeIn(folder, [catalogueFile, blobFolder, jobFile])
}

/** Returns what is in a data folder and needs the folder of the blocks, where that is missing. */
export function neededBlobs(folder: string): string | undefined {
  if (existsSync(join(folder, blobFolder))) return undefined
  return madeIn(folder, [chainFile, catalogueFile, jobFile])
}

const journalOf = (folder: string) => (existsSync(join(folder, chainFile)) ? chainFile : undefined)

/** Returns the first of some parts of a data folder that holds something of a memory. */
export function madeIn(
  folder: string,
  parts: readonly string[] = [blobFolder, chainFile, catalogueFile, jobFile],
): string | undefined {
  return parts.find((part) => holdsWork(folder, part))
}

function holdsWork(folder: string, part: string): boolean {
  const path = join(folder, part)
  switch (part) {
    case blobFolder:
      return hasBlobs(folder)
    case chainFile:
      // The first entry is always the deployment. What cannot be read may hold anything.
      return hasRow(path, 'entry', 'number > 1') ?? true
    case catalogueFile:
      // What cannot be read is made again from the chain.
      return hasRow(path, 'token') ?? false
    default:
      return hasRow(path, 'job') ?? false
  }
}

/** Tells whether a data folder holds any block of a memory or of a card. */
function hasBlobs(folder: string): boolean {
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

/** Tells whether a data folder holds a chain on which anything happened, or cannot be read. */
export const hasChain = (folder: string): boolean =>
  hasRow(join(folder, chainFile), 'entry') ?? true

/** Tells whether a table of a database has such a row; nothing where it cannot be read. */
function hasRow(path: string, table: string, condition = 'true'): boolean | undefined {
  // SQLite removes the log beside an empty file, and nothing is removed here.
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return false
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path, { timeout: 0 })
    // Without it a reader leaves files of its own behind.
    file.exec('PRAGMA locking_mode = EXCLUSIVE')
    const tables = file.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
    if (tables.get(table) === undefined) return false
    return file.prepare(`SELECT 1 FROM ${table} WHERE ${condition} LIMIT 1`).get() !== undefined
  } catch {
    return undefined
  } finally {
    file?.close()
  }
}
