import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { hasJobFor } from '@heirloom/adapters/internal/job-queries'
import { countSeals, hasSealFor } from '@heirloom/adapters/internal/seal-notes'
import type { JobStore } from '@heirloom/adapters/job-store'
import { account, type BlobStore, type Ledger, type OpenBlobStore } from '@heirloom/core'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Config } from '../../config/config.ts'
import type { KeyServiceWatch } from '../../observability/key-service-watch.ts'
import { logClaimFailure, logHoldFailure, logRefusal } from '../../observability/log-events.ts'
import { logNodesOut } from '../../observability/log-nodes.ts'
import { type Metrics, metrics } from '../../observability/metrics.ts'
import type { KeyRing } from '../api-keys/key-ring.ts'
import type { Browsing } from '../browsing-routes.ts'
import { chainCeiling } from '../chain-ceiling.ts'
import { claimBlobs } from '../claim-blobs.ts'
import { jobsComparison } from '../compare-jobs.ts'
import { compose, get, tokens } from '../container.ts'
import { recordPlace } from '../folder-place.ts'
import { integrityCheck } from '../health/integrity.ts'
import { readinessChecks } from '../health/readiness.ts'
import { serveHolds } from '../holding/serve-holds.ts'
import { ensureInstallation } from '../installation.ts'
import { type KeyWatch, keyWatch } from '../keys/key-watch.ts'
import type { ServerKeys } from '../keys/open-keys.ts'
import { blobStorageOf } from '../open-blob-storage.ts'
import type { OpenChain, openChain } from '../open-chain.ts'
import { readPage } from '../read-page.ts'
import { readYourWrites } from '../read-your-writes.ts'
import { givePlayMoney } from '../tenants/give-play-money.ts'
import { openTenants } from '../tenants/open-tenants.ts'
import type { Tenant } from '../tenants/tenant-wallets.ts'
import { storageFolder } from '../whole-folder.ts'
import { describeDeployment } from './describe-deployment.ts'
import { eventObservers, nodeObservers } from './event-observers.ts'
import { heirReader } from './heir-reader.ts'
import { logOpenness, openLocalParts } from './open-local-parts.ts'
import { openObservation } from './open-observation.ts'
import { openOnChain } from './open-on-chain.ts'
import { openAll } from './open-parts.ts'
import { openSealing } from './open-sealing.ts'
import { openWalletActs } from './open-wallet-acts.ts'
import { readWalletState } from './read-wallet-state.ts'

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
  type Input = { readonly config: Config; readonly open: typeof openChain }
}

/** Opens every part of a server and composes them; registers the closing of each part. */
export async function startServer(
  { config, open }: startServer.Input,
  resources: AsyncDisposableStack,
): Promise<StartedServer> {
  let server: FastifyInstance | undefined
  const logger = () => server?.log
  const observation = await openObservation({ config, logger }, resources)
  const local = await openLocalParts(config, resources, logger)
  const { log, openness, folder, wallet, key, keys, apiKeys, warn, register } = local
  const nodes = nodeObservers(observation.outages, logger)
  // The chain first: its threads work while this one loads the rest.
  const jobs = jobsComparison(config, local)
  const [chain, blobStore, store, { app }] = await openAll([
    register(open(config, { wallet, key, folder, nodes, verify: verifier(jobs, local) })),
    register(openBlobs(config, folder, logger)),
    local.store(),
    import('../app.ts'),
  ])

  await Promise.all([sweepBlobs(blobStore, store), jobs.compareRemote(chain.nodes)])
  const shared = { config, chain, store, blobStore }
  const watch = watchMemories({ ...local, ...shared }, warn)
  const meters = metersOf({ ...local, ...shared, watch, wallets: () => walletsOf(onChain) })
  const observers = eventObservers({ meters, logger, ...observation })
  const onChain = await openOnChain({ ...local, ...shared, observers }, resources)
  const { ledger, catalogue, webhooks } = onChain
  const onTrouble = (error: unknown) => logClaimFailure(logger(), error)
  const { ports, box, service, acting } = openServices({ ...onChain, ...shared, keys, onTrouble })
  const sealed = { ...shared, folder, catalogue, onTrouble }
  server = app({
    ...{ service, config, nodes: chain.nodes?.status },
    sealing: openSealing({ ...sealed, service, ...ledger }, resources),
    browsing: browsingParts(box, { ...blobStore.local, streams: { observe: meters.streams } }),
    ...{ webhooks, deployment: describeDeployment(chain, config, ledger.agent) },
    ...openWalletActs(ledger, { ...ports, chain, config, meters, store, logger }, resources),
    readiness: readinessChecks({ ...local, ...onChain, chain, blobStore, store, keys: watch }),
    ...{ tenants: acting, wallet: (caller) => readWalletState(acting.walletFor(caller), caller) },
    readHeir: heirReader(ledger, get(box, tokens.clock)),
    ...{ metrics: meters, rpc: chain.rpc, page: readPage(), keys: apiKeys },
    ...{ ...observation, logger: { level: config.logLevel, stream: log } },
  })
  logStart(server.log, { openness, chain })
  await openHolds({ folder, chain, store, logger }, resources)
  const tenants = local.tenants.filter((it) => it.isActive && keys.seals(it.name))
  return { server, chain, apiKeys, tenants, unknownTransactions: jobs.unknown }
}

type OnChain = Awaited<ReturnType<typeof openOnChain>>

type Served = Pick<OnChain, 'ledger' | 'tenants' | 'catalogue'> & {
  readonly config: Config
  readonly blobStore: OpenBlobStore
  readonly keys: ServerKeys
  readonly onTrouble: (error: unknown) => void
}

/** Composes the service of the server and those of its tenants. */
function openServices({ ledger, tenants, catalogue, config, blobStore, keys, onTrouble }: Served) {
  const claiming = (of: Ledger) => claimBlobs(of, blobStore, { onTrouble })
  const ports = readYourWrites(claiming(ledger), catalogue)
  const box = compose({ blobStore, ...ports, keys, keepOpened: config.keepOpened })
  const through = (of: Ledger) => ports.counting(claiming(of))
  const serviceOf = get(box, tokens.serviceOf)
  const { limits } = config
  const acting = openTenants({ tenants, ledger, limits, keys, serviceOf, through })
  return { ports, box, service: get(box, tokens.service), acting }
}

type Started = {
  readonly openness: Parameters<typeof logOpenness>[1]
  readonly chain: OpenChain
}

/** Logs what an operator should know of a start. */
function logStart(log: FastifyBaseLogger, { openness, chain }: Started): void {
  logOpenness(log, openness)
  logNodesOut(log, chain.nodes?.status() ?? [])
}

/** Returns the wallets that act here, each with the name of its tenant, and how to read it. */
const walletsOf = ({ ledger, tenants }: Pick<OnChain, 'ledger' | 'tenants'>) => [
  { tenant: undefined, read: ledger.wallet },
  ...tenants.map(({ name, ledger }) => ({ tenant: name, read: ledger.wallet })),
]

type Local = Pick<Awaited<ReturnType<typeof openLocalParts>>, 'tenants'>

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

type Metered = Required<Pick<metrics.Options, 'wallets'>> & {
  readonly keyService: KeyServiceWatch
  readonly watch: KeyWatch
  readonly store: JobStore
  readonly blobStore: OpenBlobStore
  readonly chain: OpenChain
}

function metersOf({ keyService, watch, store, blobStore, chain, wallets }: Metered): Metrics {
  const meters = metrics({
    chainCeiling: chain.nodes === undefined ? chainCeiling() : undefined,
    ...{ wallets, missing: watch.missing, lost: watch.lost, nodes: chain.nodes?.status },
    ...{ seals: () => countSeals(store), copies: () => blobStore.copies?.() },
    ofPeers: () => blobStore.ofPeers?.(),
  })
  keyService.pass(meters.keyService)
  return meters
}

type Watched = Pick<keyWatch.Input, 'chain' | 'keys'> & {
  readonly config: Config
  readonly wallets: readonly { readonly address: string }[]
  readonly blobStore: OpenBlobStore
}

/** Watches for memories without a key, and for lost ones where only this server stores them. */
function watchMemories(
  { config, wallets, chain, keys, blobStore }: Watched,
  onMissing: keyWatch.Input['onMissing'],
) {
  // On a chain elsewhere another server may have made them, and peers may hold what is missing here.
  const isSole = config.chain.kind === 'embedded' && config.network === undefined
  // All servers of a wallet share its bucket: one without any of its memories is another bucket.
  const isShared = config.blobStore?.kind === 's3'
  const owners = isSole || isShared ? wallets.map(({ address }) => account(address)) : []
  const losses = isSole ? 'each' : 'only-all'
  return keyWatch({ chain, keys, owners, losses, head: blobStore.local.head, onMissing })
}

/** Removes the orphans of a killed process, unless a job or a seal needs them. */
const sweepBlobs = (blobStore: OpenBlobStore, store: JobStore): Promise<void> =>
  blobStore.sweep(
    async (digest) => (await hasJobFor(store, digest)) || (await hasSealFor(store, digest)),
  )

async function openBlobs(
  config: Config,
  folder: string,
  logger: () => FastifyBaseLogger | undefined,
): Promise<OpenBlobStore> {
  const place = join(folder, storageFolder(config))
  const storage = await blobStorageOf(config, {
    folder: place,
    onRefusal: (refusal) => logRefusal(logger(), refusal),
  })
  const store = await storage.open()
  // A module may need no folder; an empty one still says that the blobs are in its store.
  mkdirSync(place, { recursive: true })
  return store
}

type Box = ReturnType<typeof compose>

function browsingParts(
  box: Box,
  { get: read, streams }: Pick<BlobStore, 'get'> & Pick<Browsing, 'streams'>,
): Browsing {
  const integrity = integrityCheck({ ...get(box, tokens.service), get: read })
  const [catalogue, clock] = [get(box, tokens.catalogue), get(box, tokens.clock)]
  return { catalogue, clock, integrity, streams }
}
