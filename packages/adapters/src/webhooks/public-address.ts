import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Tells whether an IP address, in any spelling a resolver gives, is one of the public network.
 * Loopback, private, link-local, shared, multicast and reserved ones are not, nor is an IPv6 address
 * that carries such an IPv4 address: mapped, translated (NAT64) or tunnelled (6to4).
 */
export function isPublicAddress(text: string): boolean {
  // The library also takes short spellings, such as 127.1, which no resolver gives.
  if (isIP(text) === 0) return false
  const address = ipaddr.parse(text)
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast'
  const carried = carriedBy(address)
  if (carried !== undefined) return carried.range() === 'unicast'
  // Everything that was ever given to anyone as its own is in 2000::/3.
  return address.range() === 'unicast' && address.match(assigned, 3)
}

const assigned = ipaddr.IPv6.parse('2000::')
const nat64 = ipaddr.IPv6.parse('64:ff9b::')

/** Returns the IPv4 address that traffic to an IPv6 address ends at, where it ends at one. */
function carriedBy(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray()
  if (address.isIPv4MappedAddress() || address.match(nat64, 96)) {
    return new ipaddr.IPv4(bytes.slice(12))
  }
  return address.range() === '6to4' ? new ipaddr.IPv4(bytes.slice(2, 6)) : undefined
}
