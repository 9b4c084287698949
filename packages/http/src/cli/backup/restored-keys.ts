import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '@heirloom/adapters/internal/data-folder'
import {
  commitKeys,
  destroyedFile,
  fileKeyStore,
  findSealingKey,
  inspectKeys,
  loadKeys,
  withNewKey,
} from '@heirloom/adapters/keys'
import { Failure } from '@heirloom/core'
import type { Config } from '../../config/config.ts'
import { readErased } from '../../server/erasing/server-erasures.ts'
import { findAgentWallet } from '../../server/keys/agent-wallet.ts'
import { loadMasterKeys, masterKeyPath } from '../../server/keys/master-keys.ts'
import { withKeyStore } from '../../server/keys/open-keys.ts'
import { agentFile } from '../../server/whole-folder.ts'
import { type MemoryReport, verifyMemories } from './verify-memories.ts'

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
