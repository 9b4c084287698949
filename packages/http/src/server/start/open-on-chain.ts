import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import type { SealingKeys } from '@heirloom/adapters/cipher'
import { systemClock } from '@heirloom/adapters/clock'
import { replaceFile } from '@heirloom/adapters/internal/data-folder'
import { type RevocationMark, sqlGrants } from '@heirloom/adapters/internal/grants'
import {
  type FindMinted,
  type SavesByGrants,
  type SqlNames,
  sqlNames,
} from '@heirloom/adapters/internal/names'
import { type SqlOpenings, sqlOpenings } from '@heirloom/adapters/internal/openings'
import { sqlProfiles } from '@heirloom/adapters/internal/profiles'
import { sqlRatings } from '@heirloom/adapters/internal/ratings'
import type { JobStore } from '@heirloom/adapters/job-store'
import { type ViemLedger, viemLedger } from '@heirloom/adapters/ledger'
import type { Webhooks } from '@heirloom/adapters/webhooks'
import {
  type Erasures,
  type Grants,
  maySaveStill,
  type OpenBlobStore,
  ownerCheck,
  type Profiles,
  type Ratings,
  type Registry,
} from '@heirloom/core'
import type { FastifyBaseLogger } from 'fastify'
import type { LocalAccount } from 'viem'
import type { Config } from '../../config/config.ts'
import { logRefusedToken } from '../../observability/log-events.ts'
import { readInstallation } from '../installation.ts'
import type { AgentWallet } from '../keys/agent-wallet.ts'
import type { Tenant, TenantLedger } from '../keys/tenants.ts'
import { catchUp, openCatalogue, openWebhooks } from '../open-catalogue.ts'
import type { OpenChain } from '../open-chain.ts'
import { registrar } from './open-local-parts.ts'
import type { eventObservers } from './open-observation.ts'

type Input = {
  readonly config: Config
  readonly folder: string
  readonly chain: OpenChain
  readonly wallet: LocalAccount
  readonly service: AgentWallet['service']
  readonly tenants: readonly Tenant[]
  readonly store: JobStore
  readonly blobStore: OpenBlobStore
  readonly keys: SealingKeys
  readonly erasures: Pick<Erasures, 'find'>
  readonly observers: ReturnType<typeof eventObservers>
  readonly logger: () => FastifyBaseLogger | undefined
}

/** The parts of a server that need its chain. */
type OnChain = {
  readonly ledger: ViemLedger
  /** The ledgers of the tenants, each with the lane of its own wallet. */
  readonly tenants: readonly TenantLedger[]
  readonly catalogue: SqlCatalogue
  readonly webhooks: Webhooks
  readonly names: SqlNames
  readonly ratings: Ratings
  readonly profiles: Profiles
  readonly openings: SqlOpenings
  readonly grants: Grants
}

/** Opens the ledger, the catalogue and the webhooks of a chain; registers their closing. */
export async function openOnChain(
  {
    config,
    folder,
    chain,
    wallet,
    service,
    store,
    blobStore,
    keys,
    erasures,
    observers,
    logger,
    ...input
  }: Input,
  resources: AsyncDisposableStack,
): Promise<OnChain> {
  const { source, chainId, contracts } = chain
  // Giving up the chain ends the waits for it, which would otherwise delay the closing.
  const register = registrar(resources, chain.giveUp)
  const onChain = { chain: source, chainId, contracts, store, ...laneSettings(config) }
  const observe = observers.lane()
  const ledger = await register(
    viemLedger({ ...onChain, wallet, signing: service?.means, observe }),
  )
  const tenants: TenantLedger[] = []
  for (const { wallet, ...tenant } of input.tenants) {
    const own = { wallet, limits: tenant.limits, observe: observers.lane(tenant.name) }
    tenants.push({ ...tenant, ledger: await register(viemLedger({ ...onChain, ...own })) })
  }
  const indexed = { config, folder, chain, observe: observers.catalogue }
  const catalogue = await register(openCatalogue(indexed, { blobStore, keys, erasures }))
  const hooks = { config, chain, store, catalogue, observe: observers.webhook }
  const webhooks = await register(openWebhooks(hooks))
  const ratings = await sqlRatings(store, ledger.registry)
  const profiles = await sqlProfiles(store, ledger.registry)
  const forOpenings = { days: config.openingsDays }
  const openings = await register(sqlOpenings(store, ledger.registry, forOpenings))
  const restores = store.isShared
    ? { mark: revocationMark(folder) }
    : { epoch: readInstallation(folder)?.epoch ?? 1 }
  const grants = await sqlGrants(store, ledger.registry, restores)
  const byGrants = savesByGrants({ ledger, grants }, logger)
  const names = openNames({ store, registry: ledger.registry, catalogue, byGrants })
  return { ledger, tenants, catalogue, webhooks, names, ratings, profiles, openings, grants }
}

/** Returns what decides of the saves by grants whose mints nobody waits for any more. */
function savesByGrants(
  parts: Pick<OnChain, 'ledger' | 'grants'>,
  logger: Input['logger'],
): SavesByGrants {
  const own = { ...parts, clock: systemClock() }
  const isOwners = ownerCheck(own)
  return {
    maySave: (id, names) => maySaveStill({ ...own, names, isOwners }, id),
    onRefused: (token) => logRefusedToken(logger(), token),
  }
}

/** Returns the mark of a data folder, by which its server notices that a database was restored. */
function revocationMark(folder: string): RevocationMark {
  const path = join(folder, 'revocations')
  return {
    read: () => (existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0),
    write: (count) => replaceFile(path, `${count}\n`),
  }
}

const laneSettings = ({ confirmations, limits, databaseUrl, chain }: Config) => ({
  confirmations,
  limits,
  // Servers that share their jobs know each other's transactions, but for those that a standby lost.
  isAlone: chain.kind === 'remote' && databaseUrl === undefined,
  reorgDepth: reorgDepthOf({ chain }),
})

/** Returns how deeply the chain of a server may reorganise, in blocks. */
export const reorgDepthOf = ({ chain }: Pick<Config, 'chain'>): number =>
  chain.kind === 'embedded' ? 0 : deepestReorg

/** The number of blocks that a public chain may reorganise: two epochs of Ethereum. */
const deepestReorg = 64

/** The longest wait for the catalogue to show the head of the chain, in milliseconds. */
const catchUpLimit = 5000

type Parts = {
  readonly store: JobStore
  readonly registry: Registry
  readonly catalogue: Pick<SqlCatalogue, 'caughtUp' | 'mintOf'>
  readonly byGrants: SavesByGrants
}

/** Opens the names of a server, which finds in the catalogue what was minted. */
const openNames = ({ store, registry, catalogue, byGrants }: Parts): SqlNames =>
  sqlNames(store, { registry, findMinted: findMintedIn(catalogue), byGrants })

const findMintedIn =
  (catalogue: Parts['catalogue']): FindMinted =>
  async (minted) => {
    await catchUp(catalogue, catchUpLimit)
    return catalogue.mintOf(minted)
  }
