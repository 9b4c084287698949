import type { Operation } from '../../api/operations/operation.ts'
import { operations } from '../../api/operations/operations.ts'
import { type OperationName, pathOf, paths } from '../../api/operations/paths.ts'
import type { OpenAct } from '../../config/read-access.ts'
import type { Scope } from './api-key.ts'

/** The scope that a route requires of a key where a server has API keys; `anyone` needs no key. */
export type RoutePermission = Scope | 'anyone'

/** The routes that are no operations: the page, what describes the server, and sessions of MCP. */
const openRoutes = [
  'GET /',
  'GET /card.png',
  'GET /token/:tokenId',
  'GET /token/:tokenId/card.png',
  'GET /registries/:chainId/:registry/token/:tokenId',
  'GET /mine',
  'GET /mine/card.png',
  'GET /create',
  'GET /create/card.png',
  'GET /activity',
  'GET /activity/card.png',
  'GET /operate',
  'GET /operate/card.png',
  'GET /account/:address',
  'GET /account/:address/card.png',
  'GET /assets/:name',
  'GET /docs',
  'GET /docs/card.png',
  'GET /docs/guides/:guide',
  'GET /docs/guides/:guide/card.png',
  'GET /openapi.json',
  'GET /llms.txt',
  'GET /start-here.md',
  'GET /mcp',
  'DELETE /mcp',
] as const

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
const openedBy: ReadonlyMap<string, OpenAct> = new Map(
  names.flatMap((name) => {
    const { openedBy: act }: Operation = operations[name]
    return act === undefined ? [] : [[paths[name], act] as const]
  }),
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
