import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Failure } from '@heirloom/core'
import type { FastifyRequest } from 'fastify'
import { hostNameOf, isLocalOnly, isLoopback, type Reach } from '../../config/read-access.ts'
import type { KeyRing } from '../api-keys/key-ring.ts'

/**
 * Returns a hook that refuses every request with a foreign `Host`: a page under a foreign name that
 * resolves to this address (DNS rebinding) would count as same-origin.
 *
 * Own names are those of loopback, the configured host, that of PUBLIC_URL, and the local address of
 * the connection. Where only this machine reaches the server the port must match too; elsewhere ports
 * are commonly mapped, and a page gains nothing by another one. A server that other machines reach
 * cannot know all its names: where it requires API keys it accepts any name, because a rebinding page
 * has no key.
 *
 * @throws `request/foreign-host`, `request/malformed` for two lines of `Host`
 */
export function requireOwnHost(config: Reach, { isRequired }: Pick<KeyRing, 'isRequired'>) {
  const isLocal = isLocalOnly(config)
  if (!isLocal && isRequired) return ({ raw }: FastifyRequest) => refuseTwoHosts(raw)
  // Nearly every request has the same host as the one before it.
  let last: Accepted | undefined
  return ({ raw, socket }: FastifyRequest): void => {
    refuseTwoHosts(raw)
    const requested = hostOf(raw)
    const { localAddress: address, localPort: port } = socket
    if (last?.requested === requested && last.address === address && last.port === port) return
    if (!isOwn(requested, { ...config, isLocal }, socket))
      throw new Failure('request/foreign-host', { host: requested })
    last = { requested, address, port }
  }
}

/**
 * Returns the host of a request: that of its target if the target is absolute, else that of its
 * header (RFC 9112, 3.2.2).
 */
export function hostOf({ url = '/', headers }: Addressed): string {
  if (url.startsWith('/')) return headers.host ?? ''
  return /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? headers.host ?? ''
}

type Addressed = Pick<IncomingMessage, 'url' | 'headers'>

/** Refuses two lines of `Host`: a proxy might use the other one (RFC 9112, 3.2). */
function refuseTwoHosts({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): void {
  let lines = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') lines += 1
  }
  if (lines < 2) return
  throw new Failure('request/malformed', { where: 'Host', problem: 'is given more than once' })
}

/** A host that was accepted on a local address and port. */
type Accepted = {
  readonly requested: string
  readonly address: string | undefined
  readonly port: number | undefined
}

type Place = Reach & { readonly isLocal: boolean }

function isOwn(text: string, place: Place, { localAddress, localPort }: Socket): boolean {
  const requested = readHost(text)
  if (requested === undefined || !isOwnName(requested, place, localAddress)) return false
  return !place.isLocal || localPort === undefined || requested.port === localPort
}

function isOwnName({ name }: Host, { host, publicUrl }: Reach, local = host): boolean {
  if (isLoopback(name) || name === host || name === unmapped(local)) return true
  return publicUrl !== undefined && name === hostNameOf(publicUrl)
}

type Host = { readonly name: string; readonly port: number }

function readHost(text: string): Host | undefined {
  const [, address, word, port = '80'] =
    /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::(\d{1,5}))?$/i.exec(text) ?? []
  const name = address ?? word
  return name === undefined ? undefined : { name: name.toLowerCase(), port: Number(port) }
}

// A socket that listens on :: shows IPv4 peers as ::ffff:a.b.c.d.
const unmapped = (address: string) => address.replace(/^::ffff:(?=\d+\.)/, '')

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
