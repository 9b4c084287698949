import { isIPv4 } from 'node:net'
import type { Config } from './config.ts'
import type { Bounds } from './read-bounds.ts'

/** Returns the name or address of a URL's host, an IPv6 address without its brackets. */
export const hostNameOf = (url: string | URL): string =>
  new URL(url).hostname.replace(/^\[|\]$/g, '')

/** Returns whether a host name or address is one of loopback, which never leaves this machine. */
export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'))
}

/** The settings that say who reaches a server. */
export type Reach = Pick<Config, 'host'> &
  Partial<Pick<Config, 'publicUrl'>> & {
    readonly bounds?: Partial<Pick<Bounds, 'trustProxy'>> | undefined
  }

/** Returns the setting that lets other machines reach a server; `undefined` where only this one does. */
export function settingThatOpens({ host, publicUrl, bounds }: Reach): string | undefined {
  if (!isLoopback(host)) return 'HOST'
  // With another name, or behind a proxy, the server gets requests of other machines from a program here.
  if (publicUrl !== undefined && !isLoopback(hostNameOf(publicUrl))) return 'PUBLIC_URL'
  return bounds?.trustProxy === undefined ? undefined : 'TRUST_PROXY'
}

/**
 * Returns whether only this machine reaches a server: its host is loopback, it has no PUBLIC_URL of
 * another host, and it trusts no proxy. Whatever is open or unbounded for the user of this machine
 * asks this function.
 */
export const isLocalOnly = (config: Reach): boolean => settingThatOpens(config) === undefined
