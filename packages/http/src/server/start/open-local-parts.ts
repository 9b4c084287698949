import { systemClock } from '@heirloom/adapters/clock'
import {
  type Openness,
  openDataFolder,
  restrictToOwner,
} from '@heirloom/adapters/internal/data-folder'
import type { JobStore } from '@heirloom/adapters/job-store'
import type { KeyServiceSigner } from '@heirloom/adapters/signer'
import { isFailure } from '@heirloom/core'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config/config.ts'
import { invalidVariable } from '../../config/environment.ts'
import { logBuffer } from '../../observability/log-buffer.ts'
import { keyServiceWatch, logKeyFailure } from '../../observability/log-events.ts'
import { recentFailures } from '../../observability/recent-failures.ts'
import type { KeyRing } from '../api-keys/key-ring.ts'
import { type ApiKeysEvent, logApiKeysEvent, openApiKeys } from '../api-keys/open-api-keys.ts'
import { serverErasures } from '../erasing/server-erasures.ts'
import { refuseDuplicate } from '../folder-place.ts'
import { refuseForeignParts } from '../foreign-parts.ts'
import { requireWriter } from '../installation.ts'
import { openAgentWallet } from '../keys/agent-wallet.ts'
import { openKeys } from '../keys/open-keys.ts'
import { type Tenant, tenantWallets } from '../keys/tenants.ts'
import { openJobStore } from '../open-job-store.ts'
import { requireWholeFolder } from '../whole-folder.ts'

type Part = { readonly close: () => Promise<void> }

/**
 * Returns a function that waits for a part to open and registers its closing. Parts are closed in
 * reverse order; `beforeClose` runs before each part of this registrar is closed.
 */
export const registrar =
  (resources: AsyncDisposableStack, beforeClose = () => {}) =>
  async <T extends Part>(opening: Promise<T>): Promise<T> => {
    const part = await opening
    resources.defer(() => part.close())
    resources.defer(beforeClose)
    return part
  }

/** Waits until every part has opened or failed; then returns them all, or throws the first failure. */
export async function openAll<T extends readonly unknown[]>(
  openings: readonly [...{ [at in keyof T]: Promise<T[at]> }],
): Promise<T> {
  // A part that opens after another one failed must still be registered, or it would never close.
  await Promise.allSettled(openings)
  return (await Promise.all(openings)) as unknown as T
}

/**
 * Opens the log, the data folder and the keys, before anything is written into the folder.
 *
 * @throws `config/invalid`, `folder/in-use`, `folder/incomplete`, `folder/unusable`
 */
export async function openLocalParts(
  config: Config,
  resources: AsyncDisposableStack,
  logger: () => FastifyBaseLogger | undefined,
) {
  const failures = recentFailures()
  const log = logBuffer(process.stderr, failures.note)
  resources.defer(() => log.close())
  const openness = restrictToOwner(config.dataDir)
  const locked = openDataFolder(config.dataDir)
  resources.defer(() => locked.close())
  const folder = locked.path
  requireWriter(folder)
  refuseDuplicate(config, folder)
  requireWholeFolder(config, folder)
  refuseForeignParts(config, folder)
  const register = registrar(resources)
  // Before the keys, which a first start creates: settings that are refused change nothing.
  const observe = (event: ApiKeysEvent) => logApiKeysEvent(logger(), event)
  const { ring: apiKeys } = await register(openApiKeys(config, { observe }))
  let opening: Promise<JobStore> | undefined
  const store = () => {
    opening ??= register(openJobStore(config, folder))
    return opening
  }
  const warn = (error: unknown) => logKeyFailure(logger(), error)
  const parts = { config, folder, store, clock: systemClock(), onTrouble: warn }
  const keys = await register(openKeys(parts))
  const erasures = await serverErasures(parts)
  const keyService = keyServiceWatch(logger)
  const agent = openAgentWallet(config, locked, keyService.observe)
  resources.defer(async () => agent.service?.close())
  await requireKey(agent.service)
  const tenants = tenantWallets(keys.tenants, config)
  requireApiKeys(tenants, apiKeys)
  const wallets = [agent.wallet, ...tenants.map(({ wallet }) => wallet)]
  const opened = { log, failures, openness, folder, store, keys, erasures, apiKeys, warn, register }
  return { ...opened, ...agent, keyService, tenants, wallets }
}

/**
 * Requires that a key service has the key of the agent wallet. One that does not answer ends no start:
 * only writes need it.
 *
 * @throws `config/invalid`
 */
async function requireKey(service: KeyServiceSigner | undefined): Promise<void> {
  try {
    await service?.check()
  } catch (error) {
    if (!isFailure(error, 'key-service/unavailable')) throw error
  }
}

// Otherwise requests with the keys of tenants would act with the wallet of the server, and succeed.
function requireApiKeys(
  tenants: readonly Pick<Tenant, 'name' | 'isActive'>[],
  { isRequired }: Pick<KeyRing, 'isRequired'>,
): void {
  const names = tenants.filter(({ isActive }) => isActive).map(({ name }) => name)
  if (names.length === 0 || isRequired) return
  const of = names.length > 3 ? `${names.length} tenants` : `the tenants ${names.join(', ')}`
  const problem = `is not set, and there are ${of}: without API keys every request would act with the server's own wallet`
  throw invalidVariable('API_KEYS_FILE', problem)
}

/** Logs that other users could enter the data folder, or still can. */
export function logOpenness(log: FastifyBaseLogger, openness: Openness): void {
  if (openness === 'was-open') log.warn('other users could enter DATA_DIR; its mode is 700 now')
  if (openness === 'open') log.warn('other users can enter DATA_DIR; its owner can chmod 700 it')
}
