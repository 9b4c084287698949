import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FileSteps, fileSteps } from '@heirloom/adapters/internal/backup'
import { replaceFile } from '@heirloom/adapters/internal/data-folder'
import {
  commitKeys,
  destroyedFile,
  erasedFile,
  fileKeyStore,
  findSealingKey,
  inspectKeys,
  loadKeys,
  withNewKey,
} from '@heirloom/adapters/keys'
import { Failure } from '@heirloom/core'
import type { Config } from '../../../config/config.ts'
import { readErased } from '../../../server/erasing/server-erasures.ts'
import { installationFile, unfinishedRestore } from '../../../server/installation.ts'
import { findAgentWallet } from '../../../server/keys/agent-wallet.ts'
import { loadMasterKeys, masterKeyPath } from '../../../server/keys/master-keys.ts'
import { withKeyStore } from '../../../server/keys/open-keys.ts'
import { agentFile } from '../../../server/whole-folder.ts'
import { type MemoryReport, verifyMemories } from './verify-memories.ts'

/** The files that may be in a folder before a restore: keys that were kept apart, and our lock. */
const allowed = [
  ...['master.keys', agentFile, destroyedFile, erasedFile, 'lost+found', unfinishedRestore],
  ...['lock.sqlite', 'lock.sqlite-journal', 'lock.sqlite-wal', 'lock.sqlite-shm'],
]

/**
 * Refuses to restore into a folder that holds anything but keys.
 *
 * @throws `folder/unusable`
 */
export function requireEmpty(folder: string): void {
  const found = readdirSync(folder).find((name) => !allowed.includes(name))
  if (found === undefined) return
  const problem = `it holds ${found}, and a backup is restored only into a folder that is empty but for ${allowed.slice(0, 4).join(', ')}; choose another one with --into`
  throw new Failure('folder/unusable', { folder, problem })
}

/** The file that says that a restored folder is whole, and only lacks its place. */
const completeFile = 'complete'

/** Returns whether a restore was cut off after it was whole. */
export const isComplete = (folder: string): boolean =>
  existsSync(join(folder, unfinishedRestore, completeFile))

/**
 * Moves what was restored beside a data folder into it. A server refuses the folder until all is
 * there, and a run that is cut off is finished by the next one.
 */
export async function placeRestored(folder: string, steps: FileSteps): Promise<void> {
  const mark = join(folder, unfinishedRestore, completeFile)
  await steps.write(`${mark}.unfinished`, new Uint8Array())
  await steps.rename(`${mark}.unfinished`, mark)
  await finishRestore(folder, steps)
}

/** Finishes a restore that was cut off while its parts were moved, if there is one. */
export async function finishRestore(folder: string, steps: FileSteps = fileSteps): Promise<void> {
  if (!isComplete(folder)) return
  const staging = join(folder, unfinishedRestore)
  // The identity comes last: without it the folder counts as one that holds foreign parts.
  const names = readdirSync(staging).filter((name) => name !== completeFile)
  const last = (name: string) => Number(name === installationFile)
  for (const name of names.toSorted((one, other) => last(one) - last(other))) {
    await steps.rename(join(staging, name), join(folder, name))
  }
  await steps.remove(staging)
}

/** Adds the keys that the target knows as destroyed to those of the backup: neither comes back. */
export function mergeDestroyed(folder: string, staging: string): void {
  const ids = [folder, staging].flatMap((it) => {
    const path = join(it, destroyedFile)
    return existsSync(path) ? (readFileSync(path, 'utf8').match(/^[0-9a-f]{32}$/gm) ?? []) : []
  })
  if (ids.length === 0) return
  replaceFile(join(staging, destroyedFile), [...new Set(ids), ''].join('\n'))
}

type Target = { readonly config: Config; readonly folder: string }

/**
 * Opens every memory of a restored folder that has no place yet, with the keys of its target.
 *
 * @throws `folder/incomplete` when the target has no master key or no agent key
 */
export async function verifyRestored(
  { config, folder }: Target,
  staging: string,
): Promise<MemoryReport> {
  const masters = loadMasterKeys(config, folder)
  const agent = findAgentWallet(config, folder)
  const lacking = masters === undefined ? masterKeyPath(config, folder) : join(folder, agentFile)
  if (masters === undefined || agent === undefined) {
    throw new Failure('folder/incomplete', { missing: lacking, beside: 'the restored copy' })
  }
  await buryDestroyed({ store: fileKeyStore({ folder: staging }), masters })
  return withKeyStore({ config, folder: staging }, (store) =>
    verifyMemories({
      config,
      folder: staging,
      agent,
      source: { store, masters },
      erasures: { find: (digest) => readErased(staging).get(digest) },
    }),
  )
}

/** Replaces the records of destroyed keys in an older file by tombstones; one key must seal. */
async function buryDestroyed(source: Parameters<typeof loadKeys>[0]): Promise<void> {
  const inspected = await inspectKeys(source)
  if (inspected?.records.some(({ opened }) => opened === 'destroyed') !== true) return
  const loaded = await loadKeys(source)
  if (loaded === undefined) return
  const { records } = loaded
  const isEnough = findSealingKey(records) !== undefined
  await commitKeys(source, loaded, isEnough ? records : withNewKey(records, { now: Date.now() }))
}
