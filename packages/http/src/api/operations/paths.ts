/**
 * The method and the path of each operation, by its name. Clients and pages load this file, so it
 * imports nothing; the rest of an operation is in the table of its room.
 */
export const paths = {
  snapshot: 'POST /api/memory/snapshot',
  names: 'GET /api/names',
  findName: 'GET /api/names/:name',
  versions: 'GET /api/names/:name/versions',
  renameName: 'PATCH /api/names/:name',
  forgetName: 'DELETE /api/names/:name',
  depositGrant: 'POST /api/grants',
  grants: 'GET /api/grants',
  receivedGrants: 'GET /api/grants/received',
  acceptGrants: 'PUT /api/accepted-owners/:address',
  ignoreGrants: 'DELETE /api/accepted-owners/:address',
  revokeGrant: 'POST /api/grants/:grant/revoke',
  revokeGrants: 'POST /api/grants/revoke',
  grantedVersions: 'GET /api/granted/:grant/versions',
  grantedSave: 'POST /api/granted/:grant/memory/snapshot',
  grantedDownload: 'GET /api/granted/:grant/memory/:tokenId',
  grantedOutline: 'GET /api/granted/:grant/memory/:tokenId/outline',
  grantedPart: 'GET /api/granted/:grant/memory/:tokenId/part',
  grantedSearchIn: 'GET /api/granted/:grant/memory/:tokenId/search',
  seal: 'POST /api/memory/seal',
  download: 'GET /api/memory/:tokenId',
  erase: 'POST /api/memory/:tokenId/erase',
  outline: 'GET /api/memory/:tokenId/outline',
  part: 'GET /api/memory/:tokenId/part',
  searchIn: 'GET /api/memory/:tokenId/search',
  isOwn: 'GET /api/memory/:tokenId/own',
  openings: 'GET /api/memory/:tokenId/openings',
  provenance: 'GET /api/memory/:tokenId/info',
  provenanceOfRegistry: 'GET /api/registries/:chainId/:registry/memory/:tokenId/info',
  downloadOfRegistry: 'GET /api/registries/:chainId/:registry/memory/:tokenId',
  listing: 'GET /api/marketplace/listings/:tokenId',
  list: 'POST /api/marketplace/list',
  buy: 'POST /api/marketplace/buy/:tokenId',
  rent: 'POST /api/marketplace/rent/:tokenId',
  fork: 'POST /api/marketplace/fork/:tokenId',
  royalty: 'POST /api/marketplace/royalty/:tokenId',
  deployment: 'GET /api/deployment',
  facets: 'GET /api/marketplace/facets',
  listings: 'GET /api/marketplace/listings',
  tokens: 'GET /api/memory',
  titles: 'GET /api/titles',
  lineage: 'GET /api/memory/:tokenId/lineage',
  history: 'GET /api/memory/:tokenId/history',
  rentals: 'GET /api/memory/:tokenId/rentals',
  activity: 'GET /api/activity',
  eachEarning: 'GET /api/accounts/:address/earnings/each',
  excerpts: 'GET /api/memory/:tokenId/excerpts',
  ratings: 'GET /api/memory/:tokenId/ratings',
  ratingCounts: 'GET /api/ratings',
  rate: 'POST /api/memory/:tokenId/ratings',
  integrity: 'GET /api/memory/:tokenId/integrity',
  earnings: 'GET /api/accounts/:address/earnings',
  events: 'GET /api/events',
  mcp: 'POST /mcp',
  heir: 'GET /api/accounts/:address/heir',
  profiles: 'GET /api/profiles',
  setProfile: 'PUT /api/accounts/:address/profile',
  ensNames: 'GET /api/ens/names',
  ensAccount: 'GET /api/ens/accounts/:name',
  relay: 'POST /api/relay',
  buyByX402: 'GET /api/x402/buy/:tokenId',
  rentByX402: 'GET /api/x402/rent/:tokenId',
  forkByX402: 'GET /api/x402/fork/:tokenId',
  royaltyByX402: 'GET /api/x402/royalty/:tokenId',
  x402Resources: 'GET /api/x402/discovery/resources',
  x402Search: 'GET /api/x402/discovery/search',
  faucet: 'POST /api/faucet',
  wallet: 'GET /api/wallet',
  metrics: 'GET /metrics',
  addWebhook: 'POST /api/webhooks',
  webhooks: 'GET /api/webhooks',
  removeWebhook: 'DELETE /api/webhooks/:id',
  operator: 'GET /api/operator',
  livez: 'GET /livez',
  readyz: 'GET /readyz',
  rpc: 'POST /rpc',
} as const

/** The paths at which a server describes itself to programs that know only its origin. */
export const wellKnownPaths = {
  agentCard: '/.well-known/agent-card.json',
  agentRegistration: '/.well-known/agent-registration.json',
  mcpServer: '/server.json',
  mcpServerCard: '/.well-known/mcp/server-card',
  security: '/.well-known/security.txt',
  x402: '/.well-known/x402',
} as const

/** The name of an operation. */
export type OperationName = keyof typeof paths

type PathIn<text extends string> = text extends `${string} ${infer path}` ? path : never

type NamesIn<path extends string> = path extends `${string}:${infer name}/${infer rest}`
  ? name | NamesIn<rest>
  : path extends `${string}:${infer name}`
    ? name
    : never

/** The values of the parameters in the path of an operation. */
export type PathValues<name extends OperationName> = Readonly<
  Record<NamesIn<PathIn<(typeof paths)[name]>>, string | bigint>
>

/** The methods of the operations. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Returns the method of an operation, and its path with the names of its parameters. */
export function routeOf(name: OperationName): { readonly method: Method; readonly path: string } {
  const [method = '', path = ''] = paths[name].split(' ')
  return { method: method as Method, path }
}

/** Returns a path with a value for each of its parameters. */
export const fillPath = (path: string, encode: (parameter: string) => unknown): string =>
  path.replace(/:(\w+)/g, (_, it: string) => encodeURIComponent(`${encode(it)}`))

/** Returns the path of an operation with the values of its parameters, if it has any. */
export function pathOf<name extends OperationName>(
  name: name,
  ...values: keyof PathValues<name> extends never ? [] : [PathValues<name>]
): string {
  const [given = {}]: readonly Readonly<Record<string, unknown>>[] = values
  return fillPath(routeOf(name).path, (it) => given[it])
}
