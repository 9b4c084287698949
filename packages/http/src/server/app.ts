import type { Server } from 'node:http'
import type { Webhooks } from '@heirloom/adapters/webhooks'
import {
  type Erasures,
  Failure,
  type MemoryService,
  type Names,
  type readOpenings,
} from '@heirloom/core'
import fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type onRequestHookHandler,
} from 'fastify'
import type { Config } from '../config/config.ts'
import type { Bounds } from '../config/read-bounds.ts'
import { type Log, lazyChildLogger, logging, logResponses } from '../observability/logging.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { OutageLog } from '../observability/outage-log.ts'
import type { Tracing } from '../observability/tracing.ts'
import { type AccountParts, accountRoutes } from './account-routes.ts'
import { authorize, identifyCaller } from './api-keys/authorize.ts'
import { type KeyRing, keylessActs, keyRing } from './api-keys/key-ring.ts'
import { boundAnswers } from './bounds/bound-answers.ts'
import { boundClients, downloadBudgetFor } from './bounds/bound-clients.ts'
import { boundUploads } from './bounds/bound-uploads.ts'
import { inFlight } from './bounds/in-flight.ts'
import { type Browsing, browsingRoutes, type RatingParts } from './browsing-routes.ts'
import type { Erasing } from './erasing/erasing.ts'
import { servicesOf, type Tenants } from './keys/tenants.ts'
import type { MovedTokens } from './moved-tokens.ts'
import type { ProfileParts } from './operations/accounts.ts'
import { type Deployment, deploymentHandler } from './operations/deployment.ts'
import { eraseHandler } from './operations/erase.ts'
import { type Granting, grantsPlugin } from './operations/grants.ts'
import { marketHandlers } from './operations/market.ts'
import {
  chainReads,
  downloadHandler,
  openingsHandler,
  ownHandler,
  snapshotHandler,
} from './operations/memory.ts'
import { namesPlugin } from './operations/names.ts'
import {
  type OperatorParts,
  operatorHandler,
  webhookBodyLimit,
  webhookHandlers,
} from './operations/operator.ts'
import { type Handler, serveOperation, serveOperations } from './operations/serve-operation.ts'
import { allowedMethods } from './plugins/allowed-methods.ts'
import { draining } from './plugins/draining.ts'
import { failureReply, protocolFailure } from './plugins/failure-reply.ts'
import { idempotencyKeys } from './plugins/idempotency-keys.ts'
import { lazySchemas } from './plugins/lazy-schemas.ts'
import { openapi } from './plugins/openapi.ts'
import { refuseMisspelt } from './plugins/refuse-misspelt.ts'
import { requireOwnHost, requireOwnOrigin } from './plugins/require-own-host.ts'
import type { Page } from './read-page.ts'
import { type AcceptedProofs, acceptedProofs } from './request/accepted-proofs.ts'
import { keepAddresses } from './request/client-of.ts'
import { nameOwners } from './request/name-owners.ts'
import { partsAtOnce } from './request/part-desk.ts'
import { jsonBody } from './request/read-body.ts'
import { requestIdOf, traceRequests } from './request/trace-requests.ts'
import { agentsRoute } from './routes/agents.ts'
import { healthRoute, type NodeList, type Readiness } from './routes/health.ts'
import { movedRoute } from './routes/moved.ts'
import { isForPerson, pageRoute } from './routes/page.ts'
import { partHandlers } from './routes/parts.ts'
import { type Rpc, rpcRoute } from './routes/rpc.ts'
import { sealRoute } from './routes/seal.ts'
import { pagePolicy, sendDocument } from './routes/send-page.ts'
import { wellKnownRoutes } from './routes/well-known.ts'
import type { Sealing } from './seals/sealing.ts'
import type { CardImages } from './sharing/card-images.ts'

export type { Browsing } from './browsing-routes.ts'

export declare namespace app {
  type Parts = AccountParts & {
    readonly service: MemoryService
    /** The tenants; none when absent. */
    readonly tenants?: Tenants | undefined
    /** Absent for a server without the routes that read many tokens. */
    readonly browsing?: Browsing | undefined
    readonly config: Pick<Config, 'apiKeys' | 'bodyLimit'> &
      Partial<Pick<Config, 'openActs' | 'seals' | 'securityContact'>> &
      acceptedProofs.Settings & {
        readonly rpc?: Pick<Config['rpc'], 'extensions'>
        /** The bounds for each client; one that is absent does not apply. */
        readonly bounds?: Partial<Bounds> | undefined
      }
    /** Seals for wallets that mint themselves; without it there is no operation `seal`. */
    readonly sealing?: Sealing | undefined
    /** Erases memories; without it there is no operation `erase`. */
    readonly erasing?: Erasing | undefined
    /** Reads who opened memories; without it there is no operation `openings`. */
    readonly openings?: readOpenings.Parts | undefined
    /** Returns when a memory was erased; without it none was. */
    readonly erasedAt?: Erasures['find'] | undefined
    /** The private names, whose grants end with them; without `granting` there is no operation on either. */
    readonly names?: Names | undefined
    /** Holds grants, which may be of names; without `names` there is no operation on either. */
    readonly granting?: Granting | undefined
    /** The ratings of tokens; without them there is no operation `rate`. */
    readonly rating?: RatingParts | undefined
    /** The profiles of accounts; without them there is no operation `setProfile`. */
    readonly profiling?: ProfileParts | undefined
    /** The API keys; those of the configuration by default. */
    readonly keys?: KeyRing | undefined
    readonly deployment: Deployment
    /** The tokens that were carried over from other registries; none when absent. */
    readonly moved?: MovedTokens | undefined
    readonly readiness: Readiness
    /** Without it there is no operation `operator`. */
    readonly operator?: OperatorParts | undefined
    /** The nodes of a remote chain. */
    readonly nodes?: NodeList | undefined
    /** Without webhooks there is no operation `webhooks`. */
    readonly webhooks?: Webhooks | undefined
    /** Without metrics there is no `/metrics`. */
    readonly metrics?: Metrics | undefined
    /** The JSON-RPC of the embedded chain; without it there is no `/rpc`. */
    readonly rpc?: Rpc | undefined
    /** The page for people; without it `/` redirects to the API reference. */
    readonly page?: Page | undefined
    /** Draws the images of tokens for links on other sites; without it there are none. */
    readonly images?: CardImages | undefined
    /** The destination of the log; without it nothing is logged. */
    readonly logger?: Log | undefined
    /** Keeps repeated failures out of the log; without it all are logged. */
    readonly outages?: OutageLog | undefined
    /** Records traces of requests; without it nothing is traced. */
    readonly tracing?: Tracing | undefined
  }
}

/** Returns an HTTP server for the service, which does not listen yet. */
export function app(parts: app.Parts): FastifyInstance {
  const { config, logger, tenants, keys = keyRing({ plain: config.apiKeys }) } = parts
  const page = parts.page && { ...parts.page, policy: pagePolicy(nodeOfPage({ ...parts, keys })) }
  const server = fastify(options(config, logger))

  server.addHook(
    'onRequest',
    syncHook(({ raw }) => keepAddresses(raw)),
  )
  draining(server)
  server.decorate('outages', parts.outages)
  traceRequests(server, parts.tracing)
  identifyCaller(server, keys, (tenant) => tenants?.find(tenant) !== undefined)
  boundClients(server, config.bounds ?? {})
  boundAnswers(server)
  server.addHook('onRequest', syncHook(requireText))
  server.addHook('onRequest', syncHook(requireOwnHost(config, keys)))
  server.addHook('onRequest', syncHook(requireOwnOrigin(config.rpc?.extensions)))
  authorize(server, keys, config.openActs)
  boundUploads(server, config.bounds?.uploadBytes ?? 0)
  server.setErrorHandler(failureReply)
  const methodsOf = allowedMethods(server)
  server.setNotFoundHandler(async (request, reply) => {
    const { method, url } = request
    const methods = methodsOf(url)
    if (methods.length > 0) return sendMethods(request, reply, methods)
    if (page !== undefined && isForPerson(request)) {
      return sendDocument(page, request, reply.code(404))
    }
    throw new Failure('route/not-found', { method, path: url.slice(0, 200) })
  })
  if (parts.metrics !== undefined) countRequests(server, parts.metrics)
  if (logger !== undefined) logResponses(server, logger)
  jsonBody(server)
  refuseMisspelt(server)
  server.register(async (all) => {
    await openapi(all)
    routes(all, { ...parts, page, keys })
  })
  return server
}

/** The largest body of a request without a memory, in bytes. */
const mostOfOthers = 65_536

function options(
  { bodyLimit, bounds }: app.Parts['config'],
  log: Log | undefined,
): FastifyHttpOptions<Server> {
  return {
    // A body is read before its signature is verified, so only memories may be large.
    bodyLimit: Math.min(bodyLimit, mostOfOthers),
    trustProxy: trustProxyOption(bounds?.trustProxy),
    logger: log === undefined ? false : logging(log),
    // `logResponses` writes one line for each request.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: lazyChildLogger,
    genReqId: ({ headers }) => requestIdOf(headers),
    // The `draining` plugin refuses late requests with `service/stopping`.
    return503OnClosing: false,
    // A request that never arrives completely would delay a shutdown for ever.
    requestTimeout: 300_000,
    // The signature of a contract wallet can have 16 KiB of hexadecimal digits, and a question of 4,000
    // Chinese characters 36,000 in its URL.
    http: { maxHeaderSize: 57_344 },
    // A token id that is too long must be refused as malformed, not as an unknown route.
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: failureReply,
    clientErrorHandler: protocolFailure,
    schemaController: lazySchemas,
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        // A test validates all schemas; doing it here would take longer than the first request.
        validateSchema: false,
        meta: false,
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

/** Answers `OPTIONS`, and refuses any other method that a path does not have (RFC 9110 §15.5.6). */
function sendMethods(
  { method, url }: FastifyRequest,
  reply: FastifyReply,
  methods: readonly string[],
): FastifyReply {
  const allowed = [...methods, 'OPTIONS'].join(', ')
  reply.header('allow', allowed)
  if (method === 'OPTIONS') return reply.code(204).send()
  throw new Failure('route/wrong-method', { method, path: url.slice(0, 200), allowed })
}

/** Requires that no parameter holds U+0000, which one of the databases cannot compare. */
function requireText({ url }: FastifyRequest): void {
  const at = url.indexOf('%00')
  if (at === -1) return
  const where = url.slice(0, at).includes('?') ? 'querystring' : 'path'
  const problem = 'holds the character U+0000 (%00), which no value has; leave it out'
  throw new Failure('request/malformed', { where, problem })
}

/** Returns a hook that runs a synchronous check; avoiding a promise makes it almost free. */
function syncHook(check: (request: FastifyRequest) => void): onRequestHookHandler {
  return (request, _, done) => {
    check(request)
    done()
  }
}

type Keyed = app.Parts & { readonly keys: KeyRing }

/** Returns the acts that need no API key here. */
const keylessHere = ({ keys, config, relay }: Pick<Keyed, 'keys' | 'config' | 'relay'>) =>
  keylessActs(keys, config.openActs).filter((act) => act !== 'relay' || relay !== undefined)

/** Returns the node that the page reads for the accounts of passkeys, whose acts the relay sends. */
function nodeOfPage(parts: Keyed): string | undefined {
  const isUseful = parts.rpc === undefined && keylessHere(parts).includes('relay')
  return isUseful ? parts.deployment.publicChain?.rpcUrl : undefined
}

function routes(server: FastifyInstance, parts: Keyed): void {
  const { deployment, readiness, rpc, page, sealing, names, granting } = parts
  const { serviceFor, agentFor } = servicesOf(parts)
  const service = serviceFor(undefined)
  const gate = acceptedProofs(parts.config, deployment)
  const owners = nameOwners({ ...service, ...parts, gate })
  const { bounds = {}, bodyLimit, publicUrl } = parts.config
  const earlier = parts.moved?.registries ?? []
  const desk = { ...service, gate, budget: downloadBudgetFor(bounds) }
  const keyless = keylessHere(parts)
  const given = { hasEns: parts.ens !== undefined, hasFaucet: parts.faucet !== undefined }
  const named = names && granting && { names, granting }
  server.register(async (api) => {
    idempotencyKeys(api)
    serveOperation(api, 'snapshot', snapshotHandler({ serviceFor, owners, names }), { bodyLimit })
    if (named !== undefined) api.register(namesPlugin({ ...parts.browsing, ...named, owners }))
    if (sealing !== undefined) {
      api.register(sealRoute({ ...service, ...parts, sealing, gate, owners, names }))
    }
    serveOperation(api, 'download', downloadHandler(desk))
    const partDesk = { ...desk, flight: inFlight(partsAtOnce) }
    serveOperations(
      api,
      partHandlers(() => partDesk),
    )
    if (named !== undefined) {
      const { granting: held, ...more } = named
      const { erasedAt, browsing } = parts
      const of = { catalogue: browsing?.catalogue, deployment, erasedAt }
      const saving = { serviceFor, owners, bodyLimit }
      api.register(grantsPlugin({ ...partDesk, ...held, ...more, ...of, ...saving }))
    }
    serveOperation(api, 'isOwn', ownHandler({ ...desk, owners }))
    ownerRoutes(api, { ...parts, gate, agentFor })
    const { provenance, listing } = chainReads({ ...service, erasedAt: parts.erasedAt })
    serveOperation(api, 'provenance', provenance)
    api.register(movedRoute({ ...desk, ...parts }))
    serveOperation(api, 'listing', listing)
    serveOperations(api, marketHandlers(serviceFor))
    const shown = { deployment, earlier, agentFor, gate, keyless, ...given }
    serveOperation(api, 'deployment', deploymentHandler(shown))
  })
  if (parts.browsing !== undefined) {
    browsingRoutes(server, { ...parts, ...parts.browsing, gate, keyless }, bounds)
  }
  accountRoutes(server, { ...parts, ...desk })
  operatorRoutes(server, parts)
  server.register(healthRoute(readiness, parts.nodes))
  server.register(pageRoute({ page, publicUrl, ...parts.browsing, images: parts.images }))
  server.register(agentsRoute)
  wellKnownRoutes(server, { gate, keyless, securityContact: parts.config.securityContact })
  if (rpc !== undefined) server.register(rpcRoute(rpc))
}

type OwnerParts = Parameters<typeof routes>[1] & {
  readonly gate: AcceptedProofs
  readonly agentFor: eraseHandler.Parts['agentFor']
}

/** Registers what the owner of a token alone may ask for. */
function ownerRoutes(api: FastifyInstance, { erasing, openings, ...parts }: OwnerParts): void {
  if (erasing !== undefined) serveOperation(api, 'erase', eraseHandler({ ...parts, erasing }))
  if (openings !== undefined) {
    serveOperation(api, 'openings', openingsHandler({ ...parts, openings }))
  }
}

/** Registers what an operator looks at. */
function operatorRoutes(server: FastifyInstance, { metrics, webhooks, operator }: app.Parts): void {
  if (metrics !== undefined) {
    const { text, contentType } = metrics
    const send: Handler<'metrics'> = async (_, reply) => reply.type(contentType).send(await text())
    serveOperation(server, 'metrics', send, { config: { isUntraced: true } })
  }
  if (webhooks !== undefined) {
    const addWebhook = { bodyLimit: webhookBodyLimit }
    serveOperations(server, webhookHandlers(webhooks), { addWebhook })
  }
  if (operator !== undefined) serveOperation(server, 'operator', operatorHandler(operator))
}
