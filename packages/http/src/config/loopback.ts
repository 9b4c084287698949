import { isIPv4 } from 'node:net'

/** Returns whether a host name or address is one of loopback, which never leaves this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}
