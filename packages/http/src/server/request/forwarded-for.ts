import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

const name = 'x-forwarded-for'

/**
 * Removes from X-Forwarded-For what is no address, and all that was written before it: a client may
 * write anything there, and what remains is its name for all bounds, and stands in the log.
 */
export function keepAddresses({ headers }: { readonly headers: IncomingHttpHeaders }): void {
  const given = headers[name]
  if (given === undefined) return
  const hops = String(given).split(',').map(withoutPort)
  const wrong = hops.findLastIndex((hop) => isIP(hop) === 0)
  headers[name] = hops.slice(wrong + 1).join(', ')
  if (headers[name] === '') delete headers[name]
}

/** Some proxies write the port of the client too. */
const withoutPort = (hop: string): string =>
  hop
    .trim()
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
