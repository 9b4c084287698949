import { join } from 'node:path'
import { heliaBlobStore } from '@heirloom/adapters/blob-store'
import { systemClock } from '@heirloom/adapters/clock'
import { closeToOthers, type Openness, openDataFolder } from '@heirloom/adapters/data-folder'
import { type ViemLedger, viemLedger } from '@heirloom/adapters/ledger'
import type { Store } from '@heirloom/adapters/store'
import { account, type BlobStore, Failure, isFailure } from '@heirloom/core'
import type { FastifyBaseLogger } from 'fastify'
import type { ApiKey } from './api-keys/api-key.ts'
import type { KeyRing } from './api-keys/key-ring.ts'
import { logApiKeysEvent, warnOfUnboundedSpending } from './api-keys/log-api-keys.ts'
import { type ApiKeysEvent, openApiKeys } from './api-keys/open-api-keys.ts'
import type { app, Browsing } from './app.ts'
import { openCatalogue, openWebhooks } from './open-catalogue.ts'
import { type OpenChain, openChain, warnOfLongChain } from './open-chain.ts'
import { blobClaims, hasJobFor } from './blob-claims.ts'
import type { Config } from '../config/config.ts'
import { compose, get, tokens } from './container.ts'
import { logCatalogueEvent, logKeyFailure, logWebhookEvent } from '../observability/log-events.ts'
import { integrityCheck } from './health/integrity.ts'
import { openJobStore } from './open-job-store.ts'
import { keyWatch } from './keys/key-watch.ts'
import { logNonceLane } from '../observability/log-nonce-lane.ts'
import { logBuffer } from '../observability/log-buffer.ts'
import { type Metrics, metrics } from '../observability/metrics.ts'
import { openKeys } from './keys/open-keys.ts'
import { readYourWrites } from './read-your-writes.ts'
import { readPage } from './read-page.ts'
import { readinessChecks } from './health/readiness.ts'
import type { WalletState } from './routes/wallet.ts'
import { agentSecrets } from './keys/agent-secrets.ts'
import { requireWholeFolder } from './whole-folder.ts'

/** A server that listens at `url` until it is closed. */
export type Server = {
  readonly url: string
  /**
   * Resolves once every part is ready. Until then the embedded chain mines its history again: what
   * the catalogue knows is answered, and what needs the chain waits.
   *
   * @throws `config/invalid`, `folder/unusable`, `journal/diverged`, and what deploying may fail with
   */
  readonly ready: Promise<void>
  /** Stops accepting, ends what was accepted, then lets go of the chain, the blobs and the folder. */
  readonly close: () => Promise<void>
}

/**
 * Starts the server that a configuration describes.
 *
 * @throws `config/invalid`, `folder/in-use`, `folder/unusable`, `ledger/unavailable`
 */
export async function serve(config: Config, open = openChain): Promise<Server> {
  const opened = new AsyncDisposableStack()
  try {
    const { server, chain, apiKeys } = await start({ config, open }, opened)
    const url = await listen(server, config)
    warnOfUnboundedSpending(server.log, config, apiKeys)
    // A chain that does not open is reported by `ready`.
    warnOfLongChain(server.log, chain).catch(() => undefined)
    // Disposal runs backwards: the server first, for the requests under way need all the rest.
    opened.defer(() => server.close())
    opened.defer(chain.giveUp)
    return { url, ready: chain.ready, close: () => opened.disposeAsync() }
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

type Start = { readonly config: Config; readonly open: typeof openChain }

type Running = {
  readonly server: ReturnType<typeof app>
  readonly chain: OpenChain
  readonly apiKeys: KeyRing
}

async function start({ config, open }: Start, opened: AsyncDisposableStack): Promise<Running> {
  let server: ReturnType<typeof app> | undefined
  const home = await openHome(config, opened, () => server?.log)
  const { log, openness, folder, agentKey, wallet, keys, apiKeys, warn, kept } = home
  // The chain first: it works on threads of its own, while this one loads all the rest.
  const [chain, blobStore, store, loaded] = await all([
    kept(open(config, { wallet, key: agentKey, folder })),
    kept(openBlobs(config, folder)),
    home.store(),
    import('./app.ts'),
  ])

  const { source, contracts, chainId, rpc } = chain
  await blobStore.sweep(hasJobFor(store))
  const watch = keyWatch({ chain, keys, head: blobStore.headHere, onMissing: warn })
  const counted = metrics({ wallet: () => ledger.wallet(), missing: watch.missing })
  const told = observers(counted, () => server?.log)
  const lane = { store, observe: told.lane, ...laneOf(config) }
  // What waits for the chain would hold up a stop for as long as the chain takes.
  const keptOnChain = keeping(opened, chain.giveUp)
  const place = { chain: source, chainId, contracts, wallet }
  const ledger = await keptOnChain(viemLedger({ ...place, ...lane }))
  const followed = { config, folder, chain, observe: told.catalogue }
  const catalogue = await keptOnChain(openCatalogue(followed, { blobStore, keys }))
  const hooked = { ...followed, store, catalogue, observe: told.webhook }
  const webhooks = await keptOnChain(openWebhooks(hooked))
  const own = readYourWrites(blobClaims(ledger, blobStore.claim), catalogue)
  const box = compose({ blobStore, ...own, keys, keepOpened: config.keepOpened })
  server = loaded.app({
    service: get(box, tokens.service),
    config,
    browsing: browsingOf(box, { get: blobStore.getHere, streams: { observe: counted.streams } }),
    webhooks,
    deployment: { chainId, agent: ledger.agent, ...accountsOf(contracts) },
    readiness: readinessChecks({ chain, blobStore, store, catalogue, folder, keys: watch }),
    wallet: (caller) => walletOf(ledger, config, caller),
    keys: apiKeys,
    ...{ metrics: counted, rpc, page: readPage() },
    logger: { level: config.logLevel, stream: log },
  })
  logOpenness(server.log, openness)
  return { server, chain, apiKeys }
}

function logOpenness(log: FastifyBaseLogger, openness: Openness): void {
  if (openness === 'was-open') log.warn('other users could enter DATA_DIR; its mode is 700 now')
  if (openness === 'open') log.warn('other users can enter DATA_DIR; its owner can chmod 700 it')
}

/** Opens the log, the data folder and the keys, before anything is made in the folder. */
async function openHome(
  config: Config,
  opened: AsyncDisposableStack,
  logger: () => FastifyBaseLogger | undefined,
) {
  const log = logBuffer(process.stderr)
  opened.defer(() => log.close())
  const openness = closeToOthers(config.dataDir)
  const locked = openDataFolder(config.dataDir)
  opened.defer(() => locked.close())
  const folder = locked.path
  requireWholeFolder(config, folder)
  const kept = keeping(opened)
  let opening: Promise<Store> | undefined
  const store = () => {
    opening ??= kept(openStore(config, folder))
    return opening
  }
  const warn = (error: unknown) => logKeyFailure(logger(), error)
  const parts = { config, folder, store, clock: systemClock(), onTrouble: warn }
  const keys = await kept(openKeys(parts))
  const observe = (event: ApiKeysEvent) => logApiKeysEvent(logger(), event)
  const { ring: apiKeys } = await kept(openApiKeys(config, { observe }))
  return { log, openness, folder, store, keys, apiKeys, warn, kept, ...agentSecrets(config, locked) }
}

type Box = ReturnType<typeof compose>

function browsingOf(
  box: Box,
  { get: read, streams }: Pick<BlobStore, 'get'> & Pick<Browsing, 'streams'>,
): Browsing {
  const integrity = integrityCheck({ ...get(box, tokens.service), get: read })
  const [catalogue, clock] = [get(box, tokens.catalogue), get(box, tokens.clock)]
  return { catalogue, clock, integrity, streams }
}

/** Returns what hears of all that goes on: it counts, and tells the log once there is one. */
function observers(counted: Metrics, log: () => FastifyBaseLogger | undefined) {
  const both =
    <Event>(count: (event: Event) => void, tell: (log: FastifyBaseLogger, event: Event) => void) =>
    (event: Event) => {
      count(event)
      const open = log()
      if (open !== undefined) tell(open, event)
    }
  return {
    lane: both(counted.observe, logNonceLane),
    catalogue: both(counted.catalogue, logCatalogueEvent),
    webhook: both(counted.webhook, logWebhookEvent),
  }
}

type Part = { readonly close: () => Promise<void> }

/** Returns what waits for a part and closes it in its turn, after something else. */
const keeping =
  (opened: AsyncDisposableStack, first = () => {}) =>
  async <T extends Part>(opening: Promise<T>): Promise<T> => {
    const part = await opening
    opened.defer(() => part.close())
    opened.defer(first)
    return part
  }

/** Returns what all of them give, or fails as the first in the list that does, once all are done. */
async function all<T extends readonly unknown[]>(
  openings: readonly [...{ [at in keyof T]: Promise<T[at]> }],
): Promise<T> {
  // One that opens after another failed must be known by then, or nobody would close it.
  await Promise.allSettled(openings)
  return (await Promise.all(openings)) as unknown as T
}

const openBlobs = ({ network }: Config, folder: string) =>
  heliaBlobStore({ folder: join(folder, 'blobs'), notes: true, ...(network && { network }) })

const accountsOf = ({ registry, marketplace }: OpenChain['contracts']) => ({
  registry: account(registry),
  marketplace: account(marketplace),
})

const laneOf = ({ chain, confirmations, limits }: Config) => ({
  confirmations,
  limits,
  reorgDepth: chain.kind === 'embedded' ? 0 : deepestReorg,
})

/** How many blocks back a public chain may change its mind: two epochs of Ethereum. */
const deepestReorg = 64

async function openStore(config: Config, folder: string): Promise<Store> {
  try {
    return await openJobStore(config, folder)
  } catch (cause) {
    if (isFailure(cause)) throw cause
    const name = config.databaseUrl === undefined ? 'DATA_DIR' : 'DATABASE_URL'
    const problem = 'does not let the server keep its jobs there'
    throw new Failure('config/invalid', { name, problem }, { cause })
  }
}

async function walletOf(
  ledger: ViemLedger,
  { limits }: Config,
  caller: ApiKey | undefined,
): Promise<WalletState> {
  const { balance, spentToday } = await ledger.wallet()
  const { perCall: maxSpendPerCall, perDay: maxSpendPerDay } = limits
  const spentByKey = caller && (await ledger.spentInName(caller.name))
  const state = { address: ledger.agent, balance, spentToday, spentByKey }
  return { ...state, maxSpendPerCall, maxSpendPerDay }
}

async function listen(server: ReturnType<typeof app>, { host, port }: Config): Promise<string> {
  try {
    await server.listen({ host, port })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const problem = `does not let the server listen at ${host}:${port} (${code})`
    const name = code === 'EADDRINUSE' || code === 'EACCES' ? 'PORT' : 'HOST'
    throw new Failure('config/invalid', { name, problem }, { cause })
  }
  const address = server.server.address()
  const bound = typeof address === 'object' ? address?.port : undefined
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound ?? port}`
}
