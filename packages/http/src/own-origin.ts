import { Failure } from '@heirloom/core'
import type { FastifyRequest } from 'fastify'
import { hostOf } from './own-host.ts'

const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses writes that a browser sends for a page of another origin; `buy` and `fork` need no body,
 * so that any page could send them. Programs send neither header and pass. The port counts: a page
 * of another local server is same-site, yet foreign.
 *
 * @throws `request/foreign-origin`
 */
export function requireOwnOrigin(request: FastifyRequest): void {
  if (!safe.has(request.method) && !isWallet(request)) refuseForeignOrigin(request)
}

/**
 * Refuses whatever a browser sends for a page of another origin.
 *
 * @throws `request/foreign-origin`
 */
export function refuseForeignOrigin({ headers, raw }: FastifyRequest): void {
  const { origin } = headers
  const host = hostOf(raw)
  const site = headers['sec-fetch-site'] ?? 'none'
  const ownSite = site === 'same-origin' || site === 'none'
  if (!ownSite || (origin !== undefined && !namesHost(origin, host))) {
    throw new Failure('request/foreign-origin', { origin: origin ?? 'unknown' })
  }
}

// The scheme is left out: a proxy that ends TLS makes an https origin of an http host.
function namesHost(origin: string, host: string): boolean {
  return /^https?:\/\/(.+)$/i.exec(origin)?.[1]?.toLowerCase() === host.toLowerCase()
}

// A wallet in the browser speaks to the chain from its own extension, an origin no page can take.
function isWallet({ url, headers: { origin = '' } }: FastifyRequest): boolean {
  return url === '/rpc' && /^(chrome|moz|safari-web)-extension:\/\//.test(origin)
}
