import { Failure } from '@heirloom/core'
import type { FastifyRequest } from 'fastify'
import { hostOf } from './require-own-host.ts'

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Returns a hook that refuses writes which a browser sends for a page of another origin: `buy` and
 * `fork` need no body, so any page could send them. Programs send neither header and pass. The port
 * counts: a page of another local server is same-site, yet foreign. Browser extensions may use
 * `/rpc`: all of them, or only those of the given origins.
 *
 * @throws `request/foreign-origin`
 */
export const requireOwnOrigin =
  (extensions?: readonly string[]) =>
  (request: FastifyRequest): void => {
    if (!safeMethods.has(request.method) && !isWallet(request, extensions))
      refuseForeignOrigin(request)
  }

/**
 * Refuses every request that a browser sends for a page of another origin.
 *
 * @throws `request/foreign-origin`
 */
export function refuseForeignOrigin({ headers, raw }: FastifyRequest): void {
  const { origin } = headers
  const host = hostOf(raw)
  const site = headers['sec-fetch-site'] ?? 'none'
  const isOwnSite = site === 'same-origin' || site === 'none'
  if (!isOwnSite || (origin !== undefined && !namesHost(origin, host))) {
    throw new Failure('request/foreign-origin', { origin: origin ?? 'unknown' })
  }
}

// The scheme is not compared: behind a proxy that ends TLS, the origin is https and the host http.
function namesHost(origin: string, host: string): boolean {
  return /^https?:\/\/(.+)$/i.exec(origin)?.[1]?.toLowerCase() === host.toLowerCase()
}

// A browser wallet calls the chain from its own extension, an origin that no page can have.
// Transactions are signed, so an extension that is no wallet can do no more than any program.
function isWallet(
  { url, headers: { origin = '' } }: FastifyRequest,
  extensions: readonly string[] | undefined,
): boolean {
  if (url !== '/rpc' || !/^(chrome|moz|safari-web)-extension:\/\//.test(origin)) return false
  return extensions?.includes(origin) ?? true
}
