import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { naclCipher, type SealingKeys } from '@heirloom/adapters/cipher'
import { systemClock } from '@heirloom/adapters/clock'
import { openDataFolder } from '@heirloom/adapters/internal/data-folder'
import type { JobStore } from '@heirloom/adapters/job-store'
import {
  account,
  type Cipher,
  type Erasures,
  Failure,
  type OpenBlobStore,
  type Registry,
} from '@heirloom/core'
import type { LocalAccount } from 'viem'
import { type Config, largestBody } from '../../../config/config.ts'
import { guardErased, serverErasures } from '../../../server/erasing/server-erasures.ts'
import { refuseDuplicate } from '../../../server/folder-place.ts'
import { refuseForeignParts } from '../../../server/foreign-parts.ts'
import { requireWriter } from '../../../server/installation.ts'
import { type AgentWallet, openAgentWallet } from '../../../server/keys/agent-wallet.ts'
import { openKeys, type ServerKeys } from '../../../server/keys/open-keys.ts'
import { blobStorageOf } from '../../../server/open-blob-storage.ts'
import { type OpenChain, openChain } from '../../../server/open-chain.ts'
import { jobFile, openJobStore } from '../../../server/open-job-store.ts'
import { registrar } from '../../../server/start/open-local-parts.ts'
import { requireWholeFolder, storageFolder } from '../../../server/whole-folder.ts'

/** The chain of an installation, and its wallet. */
export type Side = {
  readonly config: Config
  readonly folder: string
  readonly chain: OpenChain
  readonly registry: Registry
  readonly wallet: LocalAccount
}

/** An installation that this process alone works with: its chain, memories and keys. */
export type OpenSide = Side & {
  readonly keys: SealingKeys
  readonly erasures: Pick<Erasures, 'find'>
  readonly blobStore: OpenBlobStore
  readonly cipher: Cipher
  /** Opens the job store at the first call; it is closed with the side. */
  readonly jobStore: () => Promise<JobStore>
}

/** Returns whether an installation has a job store. */
export const hasJobs = ({ config, folder }: Pick<Side, 'config' | 'folder'>): boolean =>
  config.databaseUrl !== undefined || existsSync(join(folder, jobFile))

/**
 * Opens the installation of a server that is stopped; registers the closing of each part.
 *
 * @throws `config/invalid`, `folder/copied`, and what the start of a server may fail with
 */
export async function openSide(config: Config, resources: AsyncDisposableStack): Promise<OpenSide> {
  const locked = openDataFolder(requireFolder(config).dataDir)
  resources.defer(() => locked.close())
  requireWriter(locked.path)
  refuseDuplicate(config, locked.path)
  requireWholeFolder(config, locked.path)
  refuseForeignParts(config, locked.path)
  const parts = await openParts(config, locked.path, resources)
  const agent = openAgentWallet(config, locked)
  return { ...(await openChainSide(config, agent, resources)), ...parts }
}

/**
 * Returns the configuration of a data folder that a server has worked with.
 *
 * @throws `config/invalid`
 */
function requireFolder(config: Config): Config {
  if (existsSync(config.dataDir)) return config
  const problem = `names ${resolve(config.dataDir)}, which does not exist`
  throw new Failure('config/invalid', { name: 'DATA_DIR', problem })
}

/** Opens the chain of an installation, and waits until it is ready. Writes nothing for a remote one. */
export async function openChainSide(
  config: Config,
  { key, wallet, service }: AgentWallet,
  resources: AsyncDisposableStack,
): Promise<Side> {
  resources.defer(async () => service?.close())
  await service?.check()
  const folder = resolve(config.dataDir)
  const chain = await registrar(resources)(openChain(config, { wallet, key, folder }))
  await chain.ready
  const registry = { chainId: chain.chainId, address: account(chain.contracts.registry) }
  return { config, folder, chain, registry, wallet }
}

/** Adds the keys and the memories to the new server's chain; creates its data folder. */
export async function openMemories(side: Side, resources: AsyncDisposableStack): Promise<OpenSide> {
  const locked = openDataFolder(side.folder)
  resources.defer(() => locked.close())
  requireWriter(locked.path)
  refuseDuplicate(side.config, locked.path)
  return { ...side, ...(await openParts(side.config, locked.path, resources)) }
}

async function openParts(config: Config, folder: string, resources: AsyncDisposableStack) {
  const { keys, erasures, jobStore } = await openKeyStores(config, folder, resources)
  refuseTenants(keys, folder)
  const place = join(folder, storageFolder(config))
  const storage = await blobStorageOf(config, { folder: place })
  const blobStore = guardErased(await registrar(resources)(storage.open()), erasures)
  mkdirSync(place, { recursive: true })
  const cipher = naclCipher({ keys, documentLimit: largestBody })
  return { keys, erasures, blobStore, cipher, jobStore }
}

// Sealed anew under the key of the server, their memories would outlive the tenants.
function refuseTenants({ tenants }: Pick<ServerKeys, 'tenants'>, folder: string): void {
  if (tenants.length === 0) return
  const problem = `names ${resolve(folder)}, which has tenants: a migration does not carry over their wallets and their keys`
  throw new Failure('config/invalid', { name: 'DATA_DIR', problem })
}

async function openKeyStores(config: Config, folder: string, resources: AsyncDisposableStack) {
  const register = registrar(resources)
  let opening: Promise<JobStore> | undefined
  const jobStore = () => {
    opening ??= register(openJobStore(config, folder))
    return opening
  }
  // The keys of this run were read when it began; a refresh that fails leaves them as they are.
  const onTrouble = () => undefined
  const parts = { config, folder, store: jobStore }
  const keys = await register(openKeys({ ...parts, clock: systemClock(), onTrouble }))
  return { keys, erasures: await serverErasures(parts), jobStore }
}
