import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { Webhooks } from '@heirloom/adapters/webhooks'
import { type Catalogue, type Clock, Failure, type MemoryService } from '@heirloom/core'
import fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  type onRequestHookHandler,
} from 'fastify'
import type { Config } from '../config/config.ts'
import type { Bounds } from '../config/read-bounds.ts'
import { type Log, lazyChildLogger, logging, logResponses } from '../observability/logging.ts'
import type { Metrics } from '../observability/metrics.ts'
import { authorize, identifyCaller } from './api-keys/authorize.ts'
import { type KeyRing, keyRing } from './api-keys/key-ring.ts'
import { keylessActs } from './api-keys/keyless-acts.ts'
import { boundClients, downloadBudgetFor } from './bounds/bound-clients.ts'
import { boundReads } from './bounds/bound-reads.ts'
import { boundUploads } from './bounds/bound-uploads.ts'
import type { Faucet } from './faucet.ts'
import { draining } from './plugins/draining.ts'
import { failureReply } from './plugins/failure-reply.ts'
import { idempotencyKeys } from './plugins/idempotency-keys.ts'
import { lazySchemas } from './plugins/lazy-schemas.ts'
import { openapi } from './plugins/openapi.ts'
import { protocolFailure } from './plugins/protocol-failure.ts'
import { requireOwnHost } from './plugins/require-own-host.ts'
import { requireOwnOrigin } from './plugins/require-own-origin.ts'
import type { Page } from './read-page.ts'
import type { RelayActs } from './relay-acts.ts'
import { guardAcquisitions } from './request/guard-acquisitions.ts'
import { jsonBody } from './request/json-body.ts'
import { proofGate } from './request/proof-gate.ts'
import { agentsRoute } from './routes/agents.ts'
import { buyRoute } from './routes/buy.ts'
import { type Deployment, deploymentRoute } from './routes/deployment.ts'
import { downloadRoute } from './routes/download.ts'
import { earningsRoute } from './routes/earnings.ts'
import { eventsRoute } from './routes/events.ts'
import { faucetRoute } from './routes/faucet.ts'
import { forkRoute } from './routes/fork.ts'
import { healthRoute, type Readiness } from './routes/health.ts'
import { heirRoute, type ReadHeir } from './routes/heir.ts'
import { historyRoute } from './routes/history.ts'
import { type CheckIntegrity, integrityRoute } from './routes/integrity.ts'
import { lineageRoute } from './routes/lineage.ts'
import { listRoute } from './routes/list.ts'
import { listingRoute } from './routes/listing.ts'
import { listingsRoute } from './routes/listings.ts'
import { mcpRoute } from './routes/mcp.ts'
import { metricsRoute } from './routes/metrics.ts'
import { pageRoute } from './routes/page.ts'
import { provenanceRoute } from './routes/provenance.ts'
import { relayRoute } from './routes/relay.ts'
import { rentRoute } from './routes/rent.ts'
import { rentalsRoute } from './routes/rentals.ts'
import { royaltyRoute } from './routes/royalty.ts'
import { type Rpc, rpcRoute } from './routes/rpc.ts'
import { sealRoute } from './routes/seal.ts'
import { snapshotRoute } from './routes/snapshot.ts'
import { tokensRoute } from './routes/tokens.ts'
import { type ReadWallet, walletRoute } from './routes/wallet.ts'
import { webhooksRoute } from './routes/webhooks.ts'
import { x402Routes } from './routes/x402.ts'
import type { Sealing } from './seals/sealing.ts'
import type { Purchases } from './x402/purchases.ts'

/** The parts behind the routes that read many tokens. */
export type Browsing = {
  readonly catalogue: Catalogue
  readonly clock: Clock
  /** Checks the sealed bytes of a token. */
  readonly integrity: CheckIntegrity
  /** The limits and the heartbeat of the event streams. */
  readonly streams?: eventsRoute.Options | undefined
}

export declare namespace app {
  type Parts = {
    readonly service: MemoryService
    /** Absent for a server without the routes that read many tokens. */
    readonly browsing?: Browsing | undefined
    readonly config: Pick<Config, 'apiKeys' | 'bodyLimit'> &
      Partial<Pick<Config, 'openActs' | 'seals'>> &
      proofGate.Settings & {
        readonly rpc?: Pick<Config['rpc'], 'extensions'>
        /** The bounds for each client; one that is absent does not apply. */
        readonly bounds?: Partial<Bounds> | undefined
      }
    /** Seals for wallets that mint themselves; without it there is no `/api/memory/seal`. */
    readonly sealing?: Sealing | undefined
    /** The API keys; those of the configuration by default. */
    readonly keys?: KeyRing | undefined
    readonly deployment: Deployment
    readonly readiness: Readiness
    /** Reads the state of the agent wallet; without it there is no `/api/wallet`. */
    readonly wallet?: ReadWallet | undefined
    /** Reads the heirs of accounts; without it there is no `/api/accounts/:address/heir`. */
    readonly readHeir?: ReadHeir | undefined
    /** Without webhooks there is no `/api/webhooks`. */
    readonly webhooks?: Webhooks | undefined
    /** Without metrics there is no `/metrics`. */
    readonly metrics?: Metrics | undefined
    /** The JSON-RPC of the embedded chain; without it there is no `/rpc`. */
    readonly rpc?: Rpc | undefined
    /** Sends what wallets signed; without it there is no `/api/relay`. */
    readonly relay?: RelayActs | undefined
    /** Acts in dollars for clients that pay by x402; without it there is no `/api/x402`. */
    readonly purchases?: Purchases | undefined
    /** The faucet of test dollars; without it there is no `/api/faucet`. */
    readonly faucet?: Faucet | undefined
    /** The page for people; without it `/` redirects to the API reference. */
    readonly page?: Page | undefined
    /** The destination of the log; without it nothing is logged. */
    readonly logger?: Log | undefined
  }
}

/** Returns an HTTP server for the service, which does not listen yet. */
export function app(parts: app.Parts): FastifyInstance {
  const { config, logger, keys = keyRing({ plain: config.apiKeys }) } = parts
  const server = fastify(options(config, logger)).withTypeProvider<TypeBoxTypeProvider>()

  draining(server)
  server.addHook('onRequest', ({ id }, reply, done) => {
    reply.header('x-request-id', id)
    done()
  })
  identifyCaller(server, keys)
  boundClients(server, config.bounds ?? {})
  server.addHook('onRequest', syncHook(requireOwnHost(config.host, keys)))
  server.addHook('onRequest', syncHook(requireOwnOrigin(config.rpc?.extensions)))
  authorize(server, keys, config.openActs)
  boundUploads(server, config.bounds?.uploadBytes ?? 0)
  server.setErrorHandler(failureReply)
  server.setNotFoundHandler(({ method, url }) => {
    throw new Failure('route/not-found', { method, path: url.slice(0, 200) })
  })
  if (parts.metrics !== undefined) countRequests(server, parts.metrics)
  if (logger !== undefined) logResponses(server, logger)
  jsonBody(server)
  server.register(async (all) => {
    await openapi(all)
    routes(all, { ...parts, keys })
  })
  return server
}

function options(
  { bodyLimit, bounds }: app.Parts['config'],
  log: Log | undefined,
): FastifyHttpOptions<Server> {
  return {
    bodyLimit,
    trustProxy: trustProxyOption(bounds?.trustProxy),
    logger: log === undefined ? false : logging(log),
    // `logResponses` writes one line for each request.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: lazyChildLogger,
    genReqId: () => randomUUID(),
    // The `draining` plugin refuses late requests with `service/stopping`.
    return503OnClosing: false,
    // A request that never arrives completely would delay a shutdown for ever.
    requestTimeout: 300_000,
    // The signature of a contract wallet alone can have 16 KiB of hexadecimal digits.
    http: { maxHeaderSize: 32_768 },
    // A token id that is too long must be refused as malformed, not as an unknown route.
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: failureReply,
    clientErrorHandler: protocolFailure,
    schemaController: lazySchemas,
    ajv: {
      customOptions: {
        ...{ coerceTypes: false, removeAdditional: false, useDefaults: false },
        // A test validates all schemas; doing it here would take longer than the first request.
        ...{ validateSchema: false, meta: false },
      },
    },
  }
}

/** Returns Fastify's `trustProxy` option, which trusts only the configured proxies. */
function trustProxyOption(
  proxies: Bounds['trustProxy'],
): NonNullable<FastifyHttpOptions<Server>['trustProxy']> {
  if (typeof proxies !== 'number') return proxies === undefined ? false : [...proxies]
  return (_, hop) => hop < proxies
}

function countRequests(server: FastifyInstance, { answered }: Metrics): void {
  server.addHook('onResponse', ({ method, routeOptions, caller }, reply, done) => {
    // A stream lasts as long as its subscriber listens, so its duration measures nothing.
    if (!routeOptions.config.isEndless || reply.statusCode !== 200) {
      const { statusCode: status, elapsedTime: took } = reply
      answered({ method, route: routeOptions.url, status, took, key: caller?.name })
    }
    done()
  })
}

/** Returns a hook that runs a synchronous check; avoiding a promise makes it almost free. */
function syncHook(check: (request: FastifyRequest) => void): onRequestHookHandler {
  return (request, _, done) => {
    check(request)
    done()
  }
}

function routes(server: FastifyInstance, parts: app.Parts & { readonly keys: KeyRing }): void {
  const { deployment, readiness, metrics, webhooks, rpc, page, sealing, relay } = parts
  const service = serviceOf(parts)
  const gate = proofGate(parts.config, deployment)
  const { bounds = {} } = parts.config
  const desk = { ...service, gate, budget: downloadBudgetFor(bounds) }
  server.register(async (api) => {
    idempotencyKeys(api)
    api.register(snapshotRoute(service))
    if (sealing !== undefined) {
      api.register(sealRoute({ ...service, ...parts, sealing, gate }))
    }
    api.register(downloadRoute(desk))
    api.register(provenanceRoute(service))
    api.register(listingRoute(service))
    api.register(listRoute(service))
    api.register(buyRoute(service))
    api.register(rentRoute(service))
    api.register(forkRoute(service))
    api.register(royaltyRoute(service))
    const keyless = keylessActs(parts.keys, parts.config.openActs).filter(
      (act) => act !== 'relay' || relay !== undefined,
    )
    api.register(deploymentRoute({ deployment, gate, keyless }))
  })
  if (parts.browsing !== undefined) browsingRoutes(server, parts.browsing, bounds)
  accountRoutes(server, { ...parts, ...desk })
  if (metrics !== undefined) server.register(metricsRoute(metrics))
  if (webhooks !== undefined) server.register(webhooksRoute(webhooks))
  server.register(healthRoute(readiness))
  server.register(pageRoute(page))
  server.register(agentsRoute)
  if (rpc !== undefined) server.register(rpcRoute(rpc))
}

/** Registers what accounts use: to act without money for gas, to pay, and to look at themselves. */
function accountRoutes(server: FastifyInstance, parts: AccountParts): void {
  const { readHeir, relay, purchases, faucet, wallet } = parts
  if (readHeir !== undefined) server.register(heirRoute(readHeir))
  if (relay !== undefined) server.register(relayRoute(relay))
  if (purchases !== undefined) server.register(x402Routes({ ...parts, purchases }))
  if (faucet !== undefined) server.register(faucetRoute(faucet))
  if (wallet !== undefined) server.register(walletRoute(wallet))
}

type AccountParts = Pick<app.Parts, 'readHeir' | 'relay' | 'purchases' | 'faucet' | 'wallet'> &
  Omit<Parameters<typeof x402Routes>[0], 'purchases'>

/** Returns the service; with a catalogue it refuses copies and prices that were just raised. */
function serviceOf({ service, browsing, deployment: { agent } }: app.Parts): MemoryService {
  if (browsing === undefined) return service
  return guardAcquisitions(service, { ...browsing, agent })
}

function browsingRoutes(
  server: FastifyInstance,
  parts: Browsing,
  { streamsPerClient: maxPerClient = 0, mcpPerClient = 0 }: Partial<Bounds>,
): void {
  const { catalogue, integrity, streams } = parts
  server.register(async (reads) => {
    boundReads(reads)
    reads.register(listingsRoute(catalogue))
    reads.register(tokensRoute(catalogue))
    reads.register(lineageRoute(catalogue))
    reads.register(historyRoute(catalogue))
    reads.register(rentalsRoute(parts))
  })
  server.register(integrityRoute(integrity))
  server.register(earningsRoute(catalogue))
  server.register(eventsRoute(parts, { maxPerClient, ...streams }))
  server.register(mcpRoute({ maxPerClient: mcpPerClient }))
}
