import { orderActs } from '@heirloom/core'
import type { OpenAct } from '../../config/read-access.ts'
import type { Scope } from './api-key.ts'

/** The scope that a route requires of a key where a server has API keys; `anyone` needs no key. */
export type RoutePermission = Scope | 'anyone'

/** The permission of every route, by its method and its pattern; HEAD requires that of GET. */
export const routePermissions: Readonly<Record<string, RoutePermission>> = {
  'GET /': 'anyone',
  'GET /card.png': 'anyone',
  'GET /token/:tokenId': 'anyone',
  'GET /token/:tokenId/card.png': 'anyone',
  'GET /registries/:chainId/:registry/token/:tokenId': 'anyone',
  'GET /mine': 'anyone',
  'GET /mine/card.png': 'anyone',
  'GET /create': 'anyone',
  'GET /create/card.png': 'anyone',
  'GET /activity': 'anyone',
  'GET /activity/card.png': 'anyone',
  'GET /operate': 'anyone',
  'GET /operate/card.png': 'anyone',
  'GET /account/:address': 'anyone',
  'GET /account/:address/card.png': 'anyone',
  'GET /assets/:name': 'anyone',
  'GET /docs': 'anyone',
  'GET /docs/card.png': 'anyone',
  'GET /docs/guides/:guide': 'anyone',
  'GET /docs/guides/:guide/card.png': 'anyone',
  'GET /openapi.json': 'anyone',
  'GET /llms.txt': 'anyone',
  'GET /start-here.md': 'anyone',
  'GET /livez': 'anyone',
  'GET /readyz': 'anyone',
  'GET /api/deployment': 'anyone',
  'GET /api/memory': 'anyone',
  'GET /api/memory/:tokenId': 'anyone',
  'GET /api/memory/:tokenId/info': 'anyone',
  'GET /api/memory/:tokenId/outline': 'anyone',
  'GET /api/memory/:tokenId/part': 'anyone',
  'GET /api/memory/:tokenId/search': 'anyone',
  'GET /api/memory/:tokenId/lineage': 'anyone',
  'GET /api/memory/:tokenId/history': 'anyone',
  'GET /api/memory/:tokenId/excerpts': 'anyone',
  'GET /api/memory/:tokenId/rentals': 'anyone',
  'GET /api/memory/:tokenId/integrity': 'anyone',
  'GET /api/memory/:tokenId/ratings': 'anyone',
  'GET /api/ratings': 'anyone',
  // An account that paid signs it.
  'POST /api/memory/:tokenId/ratings': 'anyone',
  // The owner signs it; without a signature the route itself requires the scope.
  'POST /api/memory/:tokenId/erase': 'anyone',
  'GET /api/registries/:chainId/:registry/memory/:tokenId': 'anyone',
  'GET /api/registries/:chainId/:registry/memory/:tokenId/info': 'anyone',
  'GET /api/marketplace/listings': 'anyone',
  'GET /api/marketplace/listings/:tokenId': 'anyone',
  'GET /api/marketplace/facets': 'anyone',
  'GET /api/accounts/:address/earnings': 'anyone',
  'GET /api/accounts/:address/earnings/each': 'anyone',
  'GET /api/accounts/:address/heir': 'anyone',
  'GET /api/ens/names': 'anyone',
  'GET /api/ens/accounts/:name': 'anyone',
  'GET /api/events': 'anyone',
  'GET /api/activity': 'anyone',
  'GET /api/titles': 'anyone',
  // Its tools pass on the key of the request, so the routes they call apply their own scopes.
  'GET /mcp': 'anyone',
  'POST /mcp': 'anyone',
  'DELETE /mcp': 'anyone',
  // Play money of the embedded chain, where the operator turned it on.
  'POST /api/faucet': 'anyone',
  // A transaction that arrives there is signed by the wallet that pays for it.
  'POST /rpc': 'anyone',
  // These read, but show the money and the traffic of the operator.
  'GET /api/wallet': 'read',
  'GET /metrics': 'read',
  'GET /api/names': 'read',
  'GET /api/names/:name': 'read',
  'GET /api/names/:name/versions': 'read',
  'PATCH /api/names/:name': 'write',
  'DELETE /api/names/:name': 'write',
  'POST /api/memory/snapshot': 'write',
  'POST /api/memory/seal': 'write',
  'POST /api/relay': 'write',
  // Their payment is relayed, so the act of the relay opens them too.
  'GET /api/x402/buy/:tokenId': 'write',
  'GET /api/x402/rent/:tokenId': 'write',
  'GET /api/x402/fork/:tokenId': 'write',
  'GET /api/x402/royalty/:tokenId': 'write',
  'POST /api/marketplace/list': 'write',
  'POST /api/marketplace/buy/:tokenId': 'write',
  'POST /api/marketplace/rent/:tokenId': 'write',
  'POST /api/marketplace/fork/:tokenId': 'write',
  'POST /api/marketplace/royalty/:tokenId': 'write',
  'GET /api/operator': 'admin',
  'GET /api/webhooks': 'admin',
  'POST /api/webhooks': 'admin',
  'DELETE /api/webhooks/:id': 'admin',
}

/** Returns whether a route shows the money and the traffic of all tenants together. */
export const isOperatorsRoute = (method: string, url: string): boolean =>
  (url === '/metrics' || url === '/api/operator') && (method === 'GET' || method === 'HEAD')

/** The acts that OPEN_ACTS can open to anyone, each with its routes: a wallet's proof is enough. */
export const openableRoutes = {
  seal: [
    'POST /api/memory/seal',
    // A wallet that may seal reads and changes its own names by a proof.
    'GET /api/names',
    'GET /api/names/:name',
    'GET /api/names/:name/versions',
    'PATCH /api/names/:name',
    'DELETE /api/names/:name',
  ],
  relay: ['POST /api/relay', ...orderActs.map((act) => `GET /api/x402/${act}/:tokenId`)],
} as const satisfies Readonly<Record<OpenAct, readonly string[]>>

/** Returns the permission of a route; an unlisted route requires `admin`. */
export function permissionFor(
  method: string,
  url: string,
  openActs: readonly OpenAct[] = [],
): RoutePermission {
  const route = `${method} ${url}`
  if (openActs.some((act) => openableRoutes[act].some((it) => it === route))) return 'anyone'
  return routePermissions[method === 'HEAD' ? `GET ${url}` : route] ?? 'admin'
}
