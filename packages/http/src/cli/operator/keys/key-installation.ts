import { join } from 'node:path'
import { mintedTokens } from '@heirloom/adapters/internal/minted-tokens'
import {
  type InspectedKeys,
  inspectKeys,
  type KeySource,
  type KeyStore,
  type MasterKeys,
  type TenantFacts,
  type TenantSource,
} from '@heirloom/adapters/keys'
import { account, Failure, type TokenId } from '@heirloom/core'
import type { LocalAccount } from 'viem'
import { readConfig } from '../../../config/config.ts'
import { findAgentWallet } from '../../../server/keys/agent-wallet.ts'
import { keyCensus } from '../../../server/keys/key-census.ts'
import { loadMasterKeys, masterKeyPath } from '../../../server/keys/master-keys.ts'
import { withKeyStore } from '../../../server/keys/open-keys.ts'
import { type OpenChain, openChain } from '../../../server/open-chain.ts'
import {
  agentFile,
  blobFolder,
  chainFile,
  hasChain,
  requireUnusedFolder,
  requireWholeFolder,
} from '../../../server/whole-folder.ts'
import type { Call, NamedOptions } from '../../arguments/command.ts'
import type { Output } from '../../terminal/output.ts'
import {
  type Installation,
  mayHaveBlobs,
  openInstallation,
  withBlobStore,
} from '../doctor/installation.ts'

/** An installation whose keys are read or changed. */
export type KeyInstallation = Installation & {
  readonly source: KeySource
  /** The tenants, and the master keys that unwrap the keys of their wallets. */
  readonly tenantSource: TenantSource
  /** The facts of the tenants, as their store has them. */
  readonly tenants: readonly Pick<TenantFacts, 'name' | 'address' | 'master' | 'state'>[]
  /** True when other servers may use the keys at the same time. */
  readonly isShared: boolean
}

/** One run of an action on the keys. */
export type KeysCall = Call<'ACTION' | 'ID', NamedOptions<'dry-run' | 'yes' | 'old-masters-gone'>>

/** One run of an action on the tenants. */
export type TenantsCall = Call<
  'ACTION' | 'NAME',
  NamedOptions<'dry-run' | 'yes', 'per-call' | 'per-day' | 'file'>
>

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
    return await withKeyStore(installation, async (store, tenantStore) => {
      if ((await store.read()) === undefined) return reportNoKeys(output, installation, store)
      const masters = requireMasters(installation, store)
      const source = { store, masters }
      const tenantSource = { store: tenantStore, masters }
      const tenants = (await tenantStore.read())?.records ?? []
      const isShared = installation.config.databaseUrl !== undefined
      const seen = (await inspectKeys(source)) ?? { epoch: 0, records: [] }
      return act({ ...installation, source, tenantSource, tenants, isShared }, seen)
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
  const lines = [
    `There are no sealing keys yet in ${place}. The first start of a server creates them; set DATA_DIR if it has another folder.`,
  ]
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
  readonly ourKeys: ReadonlySet<string>
  readonly notHere: number
}

const noTokens: TokensByKey = { byKey: new Map(), ourKeys: new Set(), notHere: 0 }

/**
 * Reads which tokens are sealed under which key. The data folder must be unused.
 *
 * @throws `folder/incomplete` when the folder lacks a file that this needs
 */
export async function readTokensByKey(installation: KeyInstallation): Promise<TokensByKey> {
  const { config, folder, tenants } = installation
  const hasBlobs = mayHaveBlobs(installation)
  requireWholeFolder(config, folder)
  if (!hasBlobs) requireUnusedFolder(folder, join(folder, blobFolder))
  const read = async ({ source, contracts }: OpenChain, wallet: LocalAccount) => {
    const minted = (after: TokenId | undefined) => mintedTokens({ chain: source, contracts, after })
    return withBlobStore(installation, async ({ local }) => {
      const { byKey, ourKeys, notHere, catchUp } = keyCensus({
        minted,
        head: local.head,
        creators: [wallet, ...tenants].map(({ address }) => account(address)),
      })
      await catchUp()
      return { byKey, ourKeys, notHere: notHere() }
    })
  }
  return (hasBlobs ? await withOwnChain(installation, read) : undefined) ?? noTokens
}

/**
 * Runs an action on the chain of an installation; returns `undefined` where there is no chain yet. The
 * data folder must be unused.
 */
export async function withOwnChain<T>(
  { config, folder }: Installation,
  act: (chain: OpenChain, wallet: LocalAccount) => Promise<T>,
): Promise<T | undefined> {
  if (config.chain.kind === 'embedded' && !hasChain(folder)) return undefined
  const agent = findAgentWallet(config, folder)
  if (agent === undefined) {
    throw new Failure('folder/incomplete', { missing: join(folder, agentFile), beside: chainFile })
  }
  const { wallet, key, service } = agent
  const chain = await openChain(config, { wallet, key, folder })
  try {
    await chain.ready
    return await act(chain, wallet)
  } finally {
    await chain.close()
    await service?.close()
  }
}
