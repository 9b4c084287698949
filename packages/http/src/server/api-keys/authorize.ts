import { Failure } from '@heirloom/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bearerKey } from '../../api/headers.ts'
import type { Operation } from '../../api/operations/operation.ts'
import { operations } from '../../api/operations/operations.ts'
import { type OperationName, pathOf, paths, wellKnownPaths } from '../../api/operations/paths.ts'
import type { OpenAct } from '../../config/read-access.ts'
import { networkOf } from '../request/client-of.ts'
import { type ApiKey, allows, type KeyRing, type Scope } from './key-ring.ts'

/** The scope that a route requires of a key where a server has API keys; `anyone` needs no key. */
type RoutePermission = Scope | 'anyone'

/** The views of the page, of which each has an image. */
const views = [
  '/token/:tokenId',
  '/mine',
  '/create',
  '/activity',
  '/operate',
  '/account/:address',
  '/docs',
  '/docs/guides/:guide',
] as const

/** The routes that are no operations: the page, what describes the server, and sessions of MCP. */
const openRoutes = [
  'GET /',
  'GET /card.png',
  ...views.flatMap((view) => [`GET ${view}`, `GET ${view}/card.png`]),
  'GET /registries/:chainId/:registry/token/:tokenId',
  'GET /assets/:name',
  'GET /openapi.json',
  'GET /llms.txt',
  'GET /start-here.md',
  ...Object.values(wellKnownPaths).map((path) => `GET ${path}`),
  'GET /mcp',
  'DELETE /mcp',
]

const names = Object.keys(operations) as OperationName[]

/** The permission of every route, by its method and its pattern; HEAD requires that of GET. */
export const routePermissions: Readonly<Record<string, RoutePermission>> = Object.fromEntries([
  ...openRoutes.map((route) => [route, 'anyone'] as const),
  ...names.map((name) => [paths[name], operations[name].scope] as const),
])

/** Returns whether a route shows the money and the traffic of all tenants together. */
const isOperatorsRoute = (method: string, url: string): boolean =>
  [pathOf('metrics'), pathOf('operator')].includes(url) && ['GET', 'HEAD'].includes(method)

/** The act of OPEN_ACTS that opens a route to anyone, because a wallet's proof is enough. */
const openedBy: ReadonlyMap<string, OpenAct | undefined> = new Map(
  names.map((name) => [paths[name], (operations[name] as Operation).openedBy]),
)

/** Returns the permission of a route; an unlisted route requires `admin`. */
export function permissionFor(
  method: string,
  url: string,
  openActs: readonly OpenAct[] = [],
): RoutePermission {
  const route = `${method} ${url}`
  const act = openedBy.get(route)
  if (act !== undefined && openActs.includes(act)) return 'anyone'
  return routePermissions[method === 'HEAD' ? `GET ${url}` : route] ?? 'admin'
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that the route requires, where the server has API keys. */
    scope?: RoutePermission
    /** Whether the route shows what is of all tenants, so that no key of a tenant may use it. */
    isOperators?: boolean
  }
}

/** Reports whether the server acts for a tenant. */
export type IsServed = (tenant: string) => boolean

/**
 * Sets the `caller` of each request that has an API key. The key of a tenant that is not served, such
 * as a removed one, is as good as unknown.
 */
export function identifyCaller(
  server: FastifyInstance,
  { find }: Pick<KeyRing, 'find'>,
  isServed: IsServed,
): void {
  server.decorateRequest('caller', undefined)
  server.addHook('onRequest', (request, _, done) => {
    const key = bearerKey(request.headers)
    const caller = key === undefined ? undefined : find(key)
    if (caller?.tenant === undefined || isServed(caller.tenant)) request.caller = caller
    done()
  })
}

/** Refuses every request whose API key lacks the scope of its route, unless its act is open. */
export function authorize(
  server: FastifyInstance,
  keys: KeyRing,
  openActs: readonly OpenAct[] = [],
): void {
  server.addHook('onRoute', (route) => {
    const [method = 'GET'] = [route.method].flat()
    const scope = permissionFor(method, route.url, openActs)
    route.config = { ...route.config, scope, isOperators: isOperatorsRoute(method, route.url) }
  })
  if (!keys.isRequired) return
  const refuse = wrongKeys()
  server.addHook('onRequest', (request, _, done) => {
    requireScope(request, refuse)
    done()
  })
}

function requireScope(request: FastifyRequest, refuse: (network: string) => never): void {
  const { caller, routeOptions, ip, headers, is404 } = request
  const needed = routeOptions.config.scope ?? 'anyone'
  if (needed === 'anyone' || is404) return
  if (caller === undefined) {
    if (bearerKey(headers) !== undefined) refuse(networkOf(ip))
    throw new Failure('request/not-authorized', { scheme: 'Bearer' })
  }
  // No key of a tenant is an administrator.
  const isOperators = caller.tenant !== undefined && routeOptions.config.isOperators
  requireAllowed(caller, isOperators ? 'admin' : needed)
}

function requireAllowed(caller: ApiKey, needed: Scope): void {
  const { name, scope } = caller
  if (!allows(caller, needed)) throw new Failure('api-key/out-of-scope', { name, scope, needed })
}

export declare namespace wrongKeys {
  type Options = {
    /** The wrong keys of a network that are refused without a wait. */
    readonly free?: number
    /** The longest wait, in seconds. */
    readonly longest?: number
    /** The time after which the wrong keys of a network are forgotten, in milliseconds. */
    readonly forgetAfter?: number
    /** The largest number of networks that are counted. */
    readonly most?: number
    /** The current milliseconds of a monotonic clock. */
    readonly now?: () => number
  }
}

type Tries = { readonly count: number; readonly at: number }

/**
 * Returns a function that refuses a wrong key of a network: the first few as not authorized, and
 * each further one with a longer wait. A right key never gets here, so a client that shares its
 * address with a guesser is not locked out.
 *
 * @throws `request/not-authorized`, `request/too-many`
 */
export function wrongKeys({
  free = 10,
  longest = 60,
  forgetAfter = 900_000,
  most = 10_000,
  now = () => performance.now(),
}: wrongKeys.Options = {}): (network: string) => never {
  const tries = new Map<string, Tries>()
  const countOf = (network: string, at: number) => {
    const known = tries.get(network)
    const count = known === undefined || at - known.at > forgetAfter ? 1 : known.count + 1
    // Inserted again at the end, so that the first entry is the oldest.
    tries.delete(network)
    if (tries.size >= most) tries.delete(tries.keys().next().value ?? '')
    tries.set(network, { count, at })
    return count
  }
  return (network) => {
    const count = countOf(network, now())
    if (count <= free) throw new Failure('request/not-authorized', { scheme: 'Bearer' })
    const retryAfterSeconds = Math.min(longest, 2 ** Math.min(count - free - 1, 30))
    throw new Failure('request/too-many', {
      what: 'wrong API keys',
      limit: free,
      retryAfterSeconds,
    })
  }
}
