import type { Operation } from '../../api/operations/operation.ts'
import { operations } from '../../api/operations/operations.ts'
import { type OperationName, pathOf, paths } from '../../api/operations/paths.ts'
import type { OpenAct } from '../../config/read-access.ts'
import type { Scope } from './api-key.ts'

/** The scope that a route requires of a key where a server has API keys; `anyone` needs no key. */
export type RoutePermission = Scope | 'anyone'

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
export const isOperatorsRoute = (method: string, url: string): boolean =>
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
