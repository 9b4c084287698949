import { isIPv4 } from 'node:net'
import type { Config } from './config.ts'

/** Returns whether a host name or address is one of loopback, which never leaves this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

/** Returns whether a server has no address but those of loopback, so that no other machine reaches it. */
export const isLocalOnly = ({
  host,
  publicUrl,
}: Pick<Config, 'host'> & Partial<Pick<Config, 'publicUrl'>>): boolean =>
  isLoopback(host) && (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname))
