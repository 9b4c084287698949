import { grantId } from '@heirloom/adapters/internal/acts'
import { forgottenJobs, wordsOfMints } from '@heirloom/adapters/internal/job-queries'
import type { MintedToken } from '@heirloom/adapters/internal/minted-tokens'
import { memoize } from '@heirloom/adapters/internal/platform'
import { countSeals, hasSealFor } from '@heirloom/adapters/internal/seal-notes'
import type { JobStore } from '@heirloom/adapters/job-store'
import {
  account,
  type BlobStore,
  type Catalogue,
  type Clock,
  type Erasures,
  type Grant,
  type GrantBounds,
  type Ledger,
  type OpenBlobStore,
} from '@heirloom/core'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Config } from '../../config/config.ts'
import {
  type KeyServiceWatch,
  logClaimFailure,
  logHoldFailure,
  logNodesOut,
} from '../../observability/log-events.ts'
import { type Metrics, metrics } from '../../observability/metrics.ts'
import type { KeyRing } from '../api-keys/key-ring.ts'
import type { Browsing } from '../browsing-routes.ts'
import { claimBlobs } from '../claim-blobs.ts'
import { jobsComparison } from '../compare-jobs.ts'
import { cipherOf, compose, get, tokens } from '../container.ts'
import { showErased } from '../erasing/server-erasures.ts'
import { recordPlace } from '../folder-place.ts'
import { clockDifferences, watchClocks } from '../health/clock-differences.ts'
import { integrityCheck } from '../health/integrity.ts'
import { readinessChecks, type StopNotice } from '../health/readiness.ts'
import { ensureInstallation } from '../installation.ts'
import { ownTokensOf } from '../keys/key-census.ts'
import { type KeyWatch, keyWatch } from '../keys/key-watch.ts'
import type { ServerKeys } from '../keys/open-keys.ts'
import { givePlayMoney, openTenants } from '../keys/open-tenants.ts'
import type { Tenant } from '../keys/tenants.ts'
import { catchUp } from '../open-catalogue.ts'
import { chainCeiling, type OpenChain, type openChain } from '../open-chain.ts'
import { openPacks, type Packs } from '../packs/open-packs.ts'
import type { StoredReads } from '../packs/packs-of.ts'
import { readPage } from '../read-page.ts'
import { readYourWrites } from '../read-your-writes.ts'
import { openCardImages } from '../sharing/card-images.ts'
import { heirReader, openEns, operatorParts, readWalletState, walletsOf } from './account-parts.ts'
import { deploymentOf } from './describe-deployment.ts'
import { openBlobs, sweepBlobs } from './open-blobs.ts'
import { openErasing } from './open-erasing.ts'
import { logOpenness, openAll, openLocalParts } from './open-local-parts.ts'
import { eventObservers, nodeObservers, openObservation } from './open-observation.ts'
import { openOnChain } from './open-on-chain.ts'
import { openSealing } from './open-sealing.ts'
import { openWalletActs } from './open-wallet-acts.ts'
import { serveHolds } from './serve-holds.ts'

/** A composed server, which does not listen yet, and the parts of it that `serve` needs. */
export type StartedServer = {
  readonly server: FastifyInstance
  readonly chain: OpenChain
  readonly apiKeys: KeyRing
  /** The tenants that the server acts for. */
  readonly tenants: readonly Pick<Tenant, 'name' | 'limits'>[]
  /** Returns the number of transactions of the wallet that its jobs did not know at the start. */
  readonly unknownTransactions: () => number
}

export declare namespace startServer {
  type Input = {
    readonly config: Config
    readonly open: typeof openChain
    readonly notice: StopNotice
  }
}

/** Opens every part of a server and composes them; registers the closing of each part. */
export async function startServer(
  { config, open, notice }: startServer.Input,
  resources: AsyncDisposableStack,
): Promise<StartedServer> {
  let server: FastifyInstance | undefined
  const logger = () => server?.log
  const observation = await openObservation({ config, logger }, resources)
  const local = await openLocalParts(config, resources, logger)
  const { log, openness, folder, wallet, key, keys, erasures, apiKeys, warn, register } = local
  const nodes = nodeObservers(observation.outages, logger)
  // The chain first: its threads work while this one loads the rest.
  const jobs = jobsComparison(config, local)
  const [chain, blobStore, store, { app }] = await openAll([
    register(open(config, { wallet, key, folder, nodes, verify: verifier(jobs, local) })),
    register(openBlobs(config, { folder, erasures }, logger)),
    local.store(),
    import('../app.ts'),
  ])
  const [onTrouble, forgotten] = [claimFailureLog(logger), forgottenJobs(store)]
  const shared = { config, chain, store, forgotten, blobStore, erasures, onTrouble }
  const packs = await openPacks({ ...local, ...shared, inspect: cipherOf(keys).inspect })
  await sweepBlobs({ blobStore, store, notes: packs.notes }, jobs.compareRemote(chain.nodes))
  const watch = watchMemories({ ...local, ...shared, packs }, warn)
  const meters = metersOf({ ...local, ...shared, packs, watch, ...countedOn(() => onChain) })
  const observers = eventObservers({ meters, logger, ...observation })
  const onChain = await openOnChain({ ...local, ...shared, observers, logger }, resources)
  const { ledger, catalogue, webhooks, names } = onChain
  packs.startSweeps({ catalogue, observe: meters.collected, logger }, resources)
  const { ports, box, service, acting } = openServices({ ...onChain, ...shared, packs, keys })
  const serving = { ...get(box, tokens.bundles), ...shared, folder, catalogue }
  server = app({
    service,
    config,
    nodes: chain.nodes?.status,
    sealing: openSealing({ ...serving, names, service, ...ledger }, resources),
    ...openErasing({ ...serving, ledger }, resources),
    browsing: browsingParts(box, { stored: blobStore.local, streams: { observe: meters.streams } }),
    webhooks,
    names,
    ...deploymentOf({ chain, config, folder }, ledger.agent),
    ...openWalletActs(ledger, { ...ports, chain, config, meters, store, logger }, resources),
    readiness: readinessChecks({ ...local, ...onChain, ...shared, notice, keys: watch }),
    tenants: acting,
    wallet: (caller) => readWalletState(acting.walletFor(caller), caller),
    ...readersOf({ ...local, ...onChain, ...shared }, get(box, tokens.clock)),
    metrics: meters,
    rpc: chain.rpc,
    keys: apiKeys,
    ...pageParts(resources),
    ...observation,
    logger: { level: config.logLevel, stream: log },
  })
  logStart(server.log, { ...shared, openness }, resources)
  await openHolds({ folder, chain, store, logger }, resources)
  return { server, chain, apiKeys, tenants: tenantsOf(local), unknownTransactions: jobs.unknown }
}

type Read = OnChain &
  Pick<LocalParts, 'failures'> & { readonly chain: OpenChain; readonly config: Config }

/** The longest wait for the catalogue before a rating or a profile, in milliseconds. */
const signedWait = 5000

/** Creates the parts behind the routes for heirs, ENS names, ratings, profiles, openings, grants and the operator. */
const readersOf = (
  { ledger, ratings, profiles, openings, grants, chain, config, ...parts }: Read,
  clock: Clock,
) => ({
  operator: operatorParts(parts),
  readHeir: heirReader(ledger, clock),
  ens: openEns(chain, config, clock),
  openings: { ledger, openings, clock },
  granting: {
    ledger,
    grants,
    clock,
    idOf: (grant: Grant) => grantId(grant, ledger.registry),
    bounds: grantBounds(config),
  },
  rating: { ledger, ratings, clock, catchUp: () => catchUp(parts.catalogue, signedWait) },
  profiling: {
    ledger,
    profiles,
    clock,
    bounds: grantBounds(config),
    catchUp: () => catchUp(parts.catalogue, signedWait),
  },
})

/** The most live grants of an owner. */
const mostGrants = 1000

/** Returns the bounds of grants and profiles: for a client and all as those of seals, where 0 is none. */
const grantBounds = ({ seals: { bounds } }: Pick<Config, 'seals'>): GrantBounds => ({
  ofOwner: mostGrants,
  ofClient: bounds.perClient.seals || Number.MAX_SAFE_INTEGER,
  inAll: bounds.inAll.seals || Number.MAX_SAFE_INTEGER,
})

const pageParts = (resources: AsyncDisposableStack) => ({
  page: readPage(),
  images: openCardImages(resources),
})

const claimFailureLog = (logger: () => FastifyBaseLogger | undefined) => (error: unknown) =>
  logClaimFailure(logger(), error)

/** Returns the tenants that the server acts for. */
const tenantsOf = ({ tenants, keys }: Pick<LocalParts, 'tenants' | 'keys'>) =>
  tenants.filter((it) => it.isActive && keys.seals(it.name))

type LocalParts = Awaited<ReturnType<typeof openLocalParts>>

type OnChain = Awaited<ReturnType<typeof openOnChain>>

type Served = Pick<OnChain, 'ledger' | 'tenants' | 'catalogue' | 'names' | 'openings'> & {
  readonly config: Config
  readonly blobStore: OpenBlobStore
  readonly erasures: Pick<Erasures, 'find'>
  readonly keys: ServerKeys
  readonly packs: Packs
  readonly onTrouble: (error: unknown) => void
}

/** Composes the service of the server and those of its tenants. */
function openServices({ ledger, tenants, catalogue, blobStore, onTrouble, ...served }: Served) {
  const { config, keys, packs, erasures, names, openings } = served
  const claiming = (of: Ledger) => claimBlobs(of, blobStore, { onTrouble })
  const ports = withErased(readYourWrites(claiming(ledger), catalogue), erasures)
  const box = compose({
    blobStore,
    ...ports,
    names,
    openings,
    keys,
    erasures,
    packs: packs.keeper,
    isInParts: packs.isInParts,
    keepOpened: config.keepOpened,
  })
  const through = (of: Ledger) => ports.counting(claiming(of))
  const serviceOf = get(box, tokens.serviceOf)
  const { limits } = config
  const acting = openTenants({ tenants, ledger, limits, keys, serviceOf, through })
  return { ports, box, service: get(box, tokens.service), acting }
}

/** Returns the ports with a catalogue that says which memories were erased. */
const withErased = <Of extends { readonly catalogue: Catalogue }>(
  ports: Of,
  erasures: Pick<Erasures, 'find'>,
): Of => ({ ...ports, catalogue: showErased(ports.catalogue, erasures) })

type Started = clockDifferences.Parts & {
  readonly openness: Parameters<typeof logOpenness>[1]
  readonly chain: OpenChain
}

/** Logs what an operator should know of a start, and of the clock from then on. */
function logStart(log: FastifyBaseLogger, parts: Started, resources: AsyncDisposableStack): void {
  logOpenness(log, parts.openness)
  logNodesOut(log, parts.chain.nodes?.status() ?? [])
  watchClocks(log, parts, resources)
}

type Local = Pick<LocalParts, 'tenants'>

/** Returns what happens to an embedded chain before it answers a request. */
const verifier =
  ({ compare }: Pick<ReturnType<typeof jobsComparison>, 'compare'>, { tenants }: Local) =>
  async (chain: Parameters<typeof compare>[0], lane: string): Promise<void> => {
    await compare(chain, lane)
    await givePlayMoney(
      chain,
      tenants.map(({ wallet }) => wallet.address),
    )
  }

type Held = {
  readonly folder: string
  readonly chain: Pick<OpenChain, 'hold'>
  readonly store: Pick<JobStore, 'hold'>
  readonly logger: () => FastifyBaseLogger | undefined
}

/** Lets `heirloom backup` copy the files of the data folder as they are at one moment. */
async function openHolds(
  { folder, chain, store, logger }: Held,
  resources: AsyncDisposableStack,
): Promise<void> {
  ensureInstallation(folder)
  recordPlace(folder)
  const holdChain = chain.hold ?? (() => () => undefined)
  const hold = async () => (store.hold === undefined ? holdChain() : store.hold(holdChain))
  const onTrouble = (error: unknown) => logHoldFailure(logger(), error)
  const holds = await serveHolds({ folder, hold, onTrouble })
  resources.defer(() => holds.close())
}

/** Returns what the metrics read of the parts of a chain, which are opened after them. */
const countedOn = (onChain: () => Pick<OnChain, 'ledger' | 'tenants' | 'openings'>) => ({
  wallets: () => walletsOf(onChain()),
  unrecorded: () => onChain().openings.lost(),
})

type Metered = Required<Pick<metrics.Options, 'wallets' | 'unrecorded'>> & {
  readonly keyService: KeyServiceWatch
  readonly watch: KeyWatch
  readonly store: JobStore
  readonly forgotten: () => Promise<boolean>
  readonly blobStore: OpenBlobStore
  readonly chain: OpenChain
  readonly packs: Pick<Packs, 'notes'>
}

function metersOf({ keyService, watch, store, blobStore, chain, ...metered }: Metered): Metrics {
  const { wallets, unrecorded, packs } = metered
  const meters = metrics({
    chainCeiling: chain.nodes === undefined ? chainCeiling() : undefined,
    wallets,
    unrecorded,
    missing: watch.missing,
    lost: watch.lost,
    nodes: chain.nodes?.status,
    clocks: clockDifferences({ store, blobStore, chain }),
    seals: () => countSeals(store),
    forgotten: metered.forgotten,
    copies: () => blobStore.copies?.(),
    ofPeers: () => blobStore.ofPeers?.(),
    packs: packs.notes.count,
  })
  keyService.pass(meters.keyService)
  return meters
}

type Watched = Pick<keyWatch.Input, 'chain' | 'keys'> & {
  readonly config: Config
  readonly wallets: readonly { readonly address: string }[]
  readonly blobStore: OpenBlobStore
  readonly store: JobStore
  readonly packs: Pick<Packs, 'adopt'>
}

/** The time for which the mints of the jobs are remembered, in milliseconds. */
const countedFor = 60_000

/** Watches for memories without a key, and for lost ones where only this server stores them. */
function watchMemories(
  { config, wallets, chain, keys, blobStore, store, packs }: Watched,
  onMissing: keyWatch.Input['onMissing'],
) {
  // On a chain elsewhere another server may have made them, and peers may hold what is missing here.
  const isSole = config.chain.kind === 'embedded' && config.network === undefined
  // All servers of a wallet share its bucket: one without any of its memories is another bucket.
  const isShared = config.blobStore?.kind === 's3'
  // What the jobs of this folder alone minted was stored here, whatever other servers have made.
  const isAlone = config.network === undefined && config.databaseUrl === undefined
  const owners = isSole || isShared || isAlone ? wallets.map((it) => account(it.address)) : []
  const losses = isShared && !isSole ? 'only-all' : 'each'
  const words = memoize(() => wordsOfMints(store), { resultFor: countedFor })
  const wasHere =
    isSole || isShared ? undefined : async (it: MintedToken) => (await words()).has(it.digest)
  const head: BlobStore['head'] = async (root) => {
    const sealed = await blobStore.local.head(root)
    await packs.adopt(root, sealed)
    return sealed
  }
  const isMintedHere = ownTokensOf(wallets.map(({ address }) => account(address)))
  const isOurs = async (token: MintedToken) =>
    isMintedHere(token) || (await hasSealFor(store, token.digest))
  return keyWatch({ chain, keys, isOurs, owners, losses, wasHere, head, onMissing })
}

type Box = ReturnType<typeof compose>

function browsingParts(
  box: Box,
  { stored, streams }: { readonly stored: StoredReads } & Pick<Browsing, 'streams'>,
): Browsing {
  const integrity = integrityCheck({ ...get(box, tokens.service), stored })
  const [catalogue, clock] = [get(box, tokens.catalogue), get(box, tokens.clock)]
  return { catalogue, clock, integrity, streams }
}
