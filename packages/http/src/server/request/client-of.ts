import type { IncomingHttpHeaders } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * Returns the name under which the bounds of a client are counted: its API key if it has one, else
 * its network.
 */
export function clientOf({ caller, ip }: Pick<FastifyRequest, 'caller' | 'ip'>): string {
  return caller === undefined ? networkOf(ip) : `key ${caller.name}`
}

/**
 * Returns the network of an address: an IPv4 address itself, and the first 64 bits of an IPv6
 * address, because its holder can choose the rest.
 */
export function networkOf(address = 'unknown'): string {
  if (!address.includes(':')) return address
  const [bare = ''] = address.split('%')
  if (!isIPv6(bare)) return address
  // A socket that listens on :: shows IPv4 peers as ::ffff:a.b.c.d.
  const mapped = bare.replace(/^::ffff:(?=\d+\.)/i, '')
  return mapped === bare ? `${firstGroups(bare)}::/64` : mapped
}

/** Returns the first four groups of an IPv6 address, without leading zeros. */
function firstGroups(address: string): string {
  const [head = '', tail] = address.split('::')
  const [before, after] = [groupsOf(head), groupsOf(tail)]
  // An address has eight groups; an IPv4 address at its end counts as two.
  const missing = 8 - before.length - after.length - Number(address.includes('.'))
  const zeros = Array.from({ length: tail === undefined ? 0 : missing }, () => '0')
  const first = [...before, ...zeros, ...after].slice(0, 4)
  return first.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}

const groupsOf = (text = ''): readonly string[] => text.split(':').filter((it) => it !== '')

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
