import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mintedTokens } from '@heirloom/adapters/internal/minted-tokens'
import {
  type InspectedKeys,
  inspectKeys,
  type KeySource,
  type KeyStore,
  type MasterKeys,
} from '@heirloom/adapters/keys'
import { walletOf } from '@heirloom/adapters/wallet'
import { account, Failure, type TokenId } from '@heirloom/core'
import { readConfig } from '../../config/config.ts'
import { readAgentKey } from '../../config/key-text.ts'
import { keyCensus } from '../../server/keys/key-census.ts'
import { loadMasterKeys, masterKeyPath } from '../../server/keys/master-keys.ts'
import { withKeyStore } from '../../server/keys/open-keys.ts'
import { openChain } from '../../server/open-chain.ts'
import {
  agentFile,
  blobFolder,
  hasChain,
  requireUnusedFolder,
  requireWholeFolder,
} from '../../server/whole-folder.ts'
import type { Call } from '../arguments/command.ts'
import {
  type Installation,
  mayHaveBlobs,
  openInstallation,
  withBlobStore,
} from '../doctor/installation.ts'
import type { Output } from '../terminal/output.ts'

/** An installation whose keys are read or changed. */
export type KeyInstallation = Installation & {
  readonly source: KeySource
  /** True when other servers may use the keys at the same time. */
  readonly isShared: boolean
}

/**
 * Runs an action on the keys of an installation, if it has any. `change` requires the data folder to
 * be unused.
 *
 * @throws `config/invalid`, `folder/in-use`, `folder/incomplete` when there are keys without a master
 * key, or data that was made with keys that are missing
 */
export async function withKeyInstallation(
  { terminal, output }: Pick<Call, 'terminal' | 'output'>,
  access: 'read' | 'change',
  act: (installation: KeyInstallation, seen: InspectedKeys) => Promise<number>,
): Promise<number> {
  const installation = openInstallation(readConfig(terminal.env))
  try {
    if (access === 'change' && installation.lockError !== undefined) throw installation.lockError
    return await withKeyStore(installation, async (store) => {
      if ((await store.read()) === undefined) return reportNoKeys(output, installation, store)
      const source = { store, masters: requireMasters(installation, store) }
      const isShared = installation.config.databaseUrl !== undefined
      const seen = (await inspectKeys(source)) ?? { epoch: 0, records: [] }
      return act({ ...installation, source, isShared }, seen)
    })
  } finally {
    installation.close()
  }
}

async function reportNoKeys(
  output: Output,
  { folder }: Installation,
  { place }: KeyStore,
): Promise<number> {
  requireUnusedFolder(folder, place)
  const lines = ['There are no sealing keys yet. The first start of a server creates them.']
  await output.result({ value: { keys: [] }, lines })
  return 0
}

function requireMasters({ config, folder }: Installation, { place }: KeyStore): MasterKeys {
  const masters = loadMasterKeys(config, folder)
  if (masters !== undefined) return masters
  throw new Failure('folder/incomplete', { missing: masterKeyPath(config, folder), beside: place })
}

/** The tokens by the id of their sealing key, and the number of own tokens that are not stored here. */
export type TokensByKey = {
  readonly byKey: ReadonlyMap<string, readonly TokenId[]>
  readonly notHere: number
}

const noTokens: TokensByKey = { byKey: new Map(), notHere: 0 }

/**
 * Reads which tokens are sealed under which key. The data folder must be unused.
 *
 * @throws `folder/incomplete` when the folder lacks a file that this needs
 */
export async function readTokensByKey(installation: Installation): Promise<TokensByKey> {
  const { config, folder } = installation
  const hasBlobs = mayHaveBlobs(installation)
  requireWholeFolder(config, folder)
  if (!hasBlobs) requireUnusedFolder(folder, join(folder, blobFolder))
  if (!hasBlobs || (config.chain.kind === 'embedded' && !hasChain(folder))) return noTokens
  const key =
    config.agentKey ?? readAgentKey(agentFile, readFileSync(join(folder, agentFile), 'utf8'))
  const wallet = walletOf(key)
  const chain = await openChain(config, { wallet, key, folder })
  try {
    await chain.ready
    const { source, contracts } = chain
    const minted = (after: TokenId | undefined) => mintedTokens({ chain: source, contracts, after })
    return await withBlobStore(installation, async ({ local }) => {
      const { byKey, notHere, catchUp } = keyCensus({
        minted,
        head: local.head,
        creator: account(wallet.address),
      })
      await catchUp()
      return { byKey, notHere: notHere() }
    })
  } finally {
    await chain.close()
  }
}
