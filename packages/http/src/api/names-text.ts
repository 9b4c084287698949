import type { Hex } from '@heirloom/core'
import type { SignedPlace } from './signed-place.ts'

/** A request for names that an account proves. */
export type NamesRequest = {
  readonly account: string
  /** Seconds since the Unix epoch. */
  readonly timestamp: number
  readonly method: string
  /** The path of the request as it is sent, without its query. */
  readonly path: string
  /** The sha256 of the body; absent without one. */
  readonly bodyDigest?: Hex | undefined
}

/** Returns the text that an account signs to read, rename or forget its own names. */
export function namesText(
  { host, chainId, registry }: SignedPlace,
  { account, timestamp, method, path, bodyDigest }: NamesRequest,
): string {
  const request = [method, path, ...(bodyDigest === undefined ? [] : [bodyDigest])]
  return ['heirloom:names', host, chainId, registry, account, timestamp, ...request].join(':')
}
