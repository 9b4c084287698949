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
import { authorize, identify } from './api-keys/authorize.ts'
import { type KeyRing, keyRing } from './api-keys/key-ring.ts'
import { boundClients, roomFor } from './bounds/bound-clients.ts'
import type { Bounds } from '../config/read-bounds.ts'
import { uploadBound } from './bounds/bound-uploads.ts'
import type { Config } from '../config/config.ts'
import { draining } from './plugins/draining.ts'
import { failureReply } from './plugins/failure-reply.ts'
import { idempotencyKeys } from './plugins/idempotency-keys.ts'
import { jsonBody } from './request/json-body.ts'
import { lazySchemas } from './plugins/lazy-schemas.ts'
import { type Log, lateChild, logAnswered, logging } from '../observability/logging.ts'
import type { Metrics } from '../observability/metrics.ts'
import { noCopies } from './request/refuse-copies.ts'
import { openapi } from './plugins/openapi.ts'
import { requireOwnHost } from './plugins/require-own-host.ts'
import { requireOwnOrigin } from './plugins/require-own-origin.ts'
import type { Page } from './read-page.ts'
import { proofGate } from './request/proof-gate.ts'
import { protocolFailure } from './plugins/protocol-failure.ts'
import { readingTurns } from './bounds/bound-reads.ts'
import { agentsRoute } from './routes/agents.ts'
import { buyRoute } from './routes/buy.ts'
import { type Deployment, deploymentRoute } from './routes/deployment.ts'
import { downloadRoute } from './routes/download.ts'
import { earningsRoute } from './routes/earnings.ts'
import { eventsRoute } from './routes/events.ts'
import { forkRoute } from './routes/fork.ts'
import { healthRoute, type Readiness } from './routes/health.ts'
import { historyRoute } from './routes/history.ts'
import { type AskIntegrity, integrityRoute } from './routes/integrity.ts'
import { lineageRoute } from './routes/lineage.ts'
import { listRoute } from './routes/list.ts'
import { listingRoute } from './routes/listing.ts'
import { listingsRoute } from './routes/listings.ts'
import { mcpRoute } from './routes/mcp.ts'
import { metricsRoute } from './routes/metrics.ts'
import { pageRoute } from './routes/page.ts'
import { provenanceRoute } from './routes/provenance.ts'
import { rentRoute } from './routes/rent.ts'
import { rentalsRoute } from './routes/rentals.ts'
import { royaltyRoute } from './routes/royalty.ts'
import { type Rpc, rpcRoute } from './routes/rpc.ts'
import { snapshotRoute } from './routes/snapshot.ts'
import { tokensRoute } from './routes/tokens.ts'
import { type AskWallet, walletRoute } from './routes/wallet.ts'
import { webhooksRoute } from './routes/webhooks.ts'
import { seenPrices } from './request/seen-prices.ts'

/** What answers questions about many tokens. */
export type Browsing = {
  readonly catalogue: Catalogue
  readonly clock: Clock
  /** Looks at the sealed bytes of a token. */
  readonly integrity: AskIntegrity
  /** How streams of events are kept open. */
  readonly streams?: eventsRoute.Options | undefined
}

export declare namespace app {
  type Parts = {
    readonly service: MemoryService
    /** What answers questions about many tokens; without it there are no routes that do. */
    readonly browsing?: Browsing | undefined
    readonly config: Pick<Config, 'apiKeys' | 'bodyLimit'> &
      proofGate.Settings & {
        readonly rpc?: Pick<Config['rpc'], 'extensions'>
        /** What one client may have; anything where it does not say. */
        readonly bounds?: Partial<Bounds> | undefined
      }
    /** The API keys; those of the configuration when absent. */
    readonly keys?: KeyRing | undefined
    readonly deployment: Deployment
    readonly readiness: Readiness
    /** What the agent wallet holds and may spend; without it there is no `/api/wallet`. */
    readonly wallet?: AskWallet | undefined
    /** Where events are sent; without it there is no `/api/webhooks`. */
    readonly webhooks?: Webhooks | undefined
    /** What is counted; without it there is no `/metrics`. */
    readonly metrics?: Metrics | undefined
    /** The embedded chain's JSON-RPC; without it there is no `/rpc`. */
    readonly rpc?: Rpc | undefined
    /** The page for people; without it `/` leads to the reference. */
    readonly page?: Page | undefined
    /** Where the log goes; without it there is none. */
    readonly logger?: Log | undefined
  }
}

/** Returns the service as an HTTP server that does not listen yet. */
export function app(parts: app.Parts): FastifyInstance {
  const { config, logger, keys = keyRing({ plain: config.apiKeys }) } = parts
  const server = fastify(options(config, logger)).withTypeProvider<TypeBoxTypeProvider>()

  draining(server)
  server.addHook('onRequest', ({ id }, reply, done) => {
    reply.header('x-request-id', id)
    done()
  })
  identify(server, keys)
  boundClients(server, config.bounds ?? {})
  server.addHook('onRequest', passing(requireOwnHost(config.host, keys)))
  server.addHook('onRequest', passing(requireOwnOrigin(config.rpc?.extensions)))
  authorize(server, keys)
  uploadBound(server, config.bounds?.uploadBytes ?? 0)
  server.setErrorHandler(failureReply)
  server.setNotFoundHandler(({ method, url }) => {
    throw new Failure('route/not-found', { method, path: url.slice(0, 200) })
  })
  if (parts.metrics !== undefined) timed(server, parts.metrics)
  if (logger !== undefined) logAnswered(server, logger)
  jsonBody(server)
  server.register(async (all) => {
    await openapi(all)
    routes(all, parts)
  })
  return server
}

function options(
  { bodyLimit, bounds }: app.Parts['config'],
  log: Log | undefined,
): FastifyHttpOptions<Server> {
  return {
    bodyLimit,
    trustProxy: trustOf(bounds?.trustProxy),
    logger: log === undefined ? false : logging(log),
    // A request is told of once, by `logAnswered`.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: lateChild,
    genReqId: () => randomUUID(),
    // The refusal of late requests is `service/stopping`, in the form of all others.
    return503OnClosing: false,
    // A request that does not arrive whole would keep a stopping server waiting for ever.
    requestTimeout: 300_000,
    // The signature of a contract wallet alone is up to 16 KiB of digits.
    http: { maxHeaderSize: 32_768 },
    // A token id of any length is answered as malformed rather than as an unknown route.
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: failureReply,
    clientErrorHandler: protocolFailure,
    schemaController: lazySchemas,
    ajv: {
      customOptions: {
        ...{ coerceTypes: false, removeAdditional: false, useDefaults: false },
        // A test checks all of them; here it would take longer than the first request.
        validateSchema: false,
      },
    },
  }
}

/** Returns what believes the proxies that an operator named, and nobody else. */
function trustOf(
  proxies: Bounds['trustProxy'],
): NonNullable<FastifyHttpOptions<Server>['trustProxy']> {
  if (typeof proxies !== 'number') return proxies === undefined ? false : [...proxies]
  return (_, hop) => hop < proxies
}

function timed(server: FastifyInstance, { answered }: Metrics): void {
  server.addHook('onResponse', ({ method, routeOptions, caller }, reply, done) => {
    // A stream lasts as long as somebody listens, which says nothing of how fast we are.
    if (!routeOptions.config.isEndless || reply.statusCode !== 200) {
      const { statusCode: status, elapsedTime: took } = reply
      answered({ method, route: routeOptions.url, status, took, key: caller?.name })
    }
    done()
  })
}

/** Returns the hook of a check that throws; one that is no promise costs a request next to nothing. */
function passing(check: (request: FastifyRequest) => void): onRequestHookHandler {
  return (request, _, done) => {
    check(request)
    done()
  }
}

function routes(server: FastifyInstance, parts: app.Parts): void {
  const { deployment, readiness, wallet, metrics, webhooks, rpc, page } = parts
  const service = serviceOf(parts)
  const gate = proofGate(parts.config, deployment)
  const { bounds = {} } = parts.config
  server.register(async (api) => {
    idempotencyKeys(api)
    api.register(snapshotRoute(service))
    api.register(downloadRoute(service, { gate, room: roomFor(bounds) }))
    api.register(provenanceRoute(service))
    api.register(listingRoute(service))
    api.register(listRoute(service))
    api.register(buyRoute(service))
    api.register(rentRoute(service))
    api.register(forkRoute(service))
    api.register(royaltyRoute(service))
    api.register(deploymentRoute(deployment, gate))
  })
  if (parts.browsing !== undefined) browsingRoutes(server, parts.browsing, bounds)
  if (wallet !== undefined) server.register(walletRoute(wallet))
  if (metrics !== undefined) server.register(metricsRoute(metrics))
  if (webhooks !== undefined) server.register(webhooksRoute(webhooks))
  server.register(healthRoute(readiness))
  server.register(pageRoute(page))
  server.register(agentsRoute)
  if (rpc !== undefined) server.register(rpcRoute(rpc))
}

/** Returns the service, which knows what a caller can have seen where there is a catalogue. */
function serviceOf({ service, browsing, deployment: { agent } }: app.Parts): MemoryService {
  if (browsing === undefined) return service
  return noCopies(seenPrices(service, { ...browsing, agent }), browsing.catalogue)
}

function browsingRoutes(
  server: FastifyInstance,
  parts: Browsing,
  { streamsPerClient: mostPerClient = 0, mcpPerClient = 0 }: Partial<Bounds>,
): void {
  const { catalogue, integrity, streams } = parts
  server.register(async (reads) => {
    readingTurns(reads)
    reads.register(listingsRoute(catalogue))
    reads.register(tokensRoute(catalogue))
    reads.register(lineageRoute(catalogue))
    reads.register(historyRoute(catalogue))
    reads.register(rentalsRoute(parts))
  })
  server.register(integrityRoute(integrity))
  server.register(earningsRoute(catalogue))
  server.register(eventsRoute(parts, { mostPerClient, ...streams }))
  server.register(mcpRoute({ mostPerClient: mcpPerClient }))
}
