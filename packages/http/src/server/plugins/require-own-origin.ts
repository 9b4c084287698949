import { Failure } from '@heirloom/core'
import type { FastifyRequest } from 'fastify'
import { hostOf } from './require-own-host.ts'

const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Returns a hook that refuses writes that a browser sends for a page of another origin; `buy` and `fork` need no body,
 * so that any page could send them. Programs send neither header and pass. The port counts: a page
 * of another local server is same-site, yet foreign. A browser extension may use the chain, any or
 * only those of the given origins.
 *
 * @throws `request/foreign-origin`
 */
export const requireOwnOrigin =
  (extensions?: readonly string[]) =>
  (request: FastifyRequest): void => {
    if (!safe.has(request.method) && !isWallet(request, extensions)) refuseForeignOrigin(request)
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
// Its transactions are signed, so an extension that is no wallet can do no more than any program.
function isWallet(
  { url, headers: { origin = '' } }: FastifyRequest,
  extensions: readonly string[] | undefined,
): boolean {
  if (url !== '/rpc' || !/^(chrome|moz|safari-web)-extension:\/\//.test(origin)) return false
  return extensions?.includes(origin) ?? true
}
