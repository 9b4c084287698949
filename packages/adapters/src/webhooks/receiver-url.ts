import { isIP } from 'node:net'
import { Failure } from '@heirloom/core'
import ipaddr from 'ipaddr.js'

/** The longest URL of a webhook, in characters. */
export const longestUrl = 2048

/**
 * Parses and normalises the URL of a webhook: http or https, without a user name and password, which
 * would appear in lists and logs.
 *
 * @throws `value/invalid`
 */
export function receiverUrl(text: string, { toPrivate }: { readonly toPrivate: boolean }): string {
  const url = text.length <= longestUrl && URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw invalid(`must be an http or https address of at most ${longestUrl} characters`)
  }
  if (url.username !== '' || url.password !== '')
    throw invalid('must have no name or password in it')
  const host = hostOf(url)
  if (!toPrivate && isIP(host) !== 0 && !isPublicAddress(host)) {
    throw invalid('must be on the public network, unless WEBHOOKS_TO_PRIVATE is true')
  }
  url.hash = ''
  return url.href
}

/** Returns the host of a URL without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

const invalid = (problem: string) =>
  new Failure('value/invalid', { kind: 'webhook address', problem })

/**
 * Returns whether an IP address, in any notation of a resolver, belongs to the public network.
 * Loopback, private, link-local, shared, multicast and reserved addresses do not, nor does an IPv6
 * address that embeds such an IPv4 address: mapped, translated (NAT64) or tunnelled (6to4).
 */
export function isPublicAddress(text: string): boolean {
  // The library also parses short notations, such as 127.1, which no resolver returns.
  if (isIP(text) === 0) return false
  const address = ipaddr.parse(text)
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast'
  const embedded = embeddedIPv4(address)
  if (embedded !== undefined) return embedded.range() === 'unicast'
  // All global unicast addresses that were ever assigned are in 2000::/3.
  return address.range() === 'unicast' && address.match(assigned, 3)
}

const assigned = ipaddr.IPv6.parse('2000::')
const nat64 = ipaddr.IPv6.parse('64:ff9b::')

/** Returns the IPv4 address that an IPv6 address embeds, if any. */
function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray()
  if (address.isIPv4MappedAddress() || address.match(nat64, 96)) {
    return new ipaddr.IPv4(bytes.slice(12))
  }
  return address.range() === '6to4' ? new ipaddr.IPv4(bytes.slice(2, 6)) : undefined
}
