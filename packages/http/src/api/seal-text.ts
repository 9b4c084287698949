import type { Hex } from '@heirloom/core'

/** The server that a seal is asked of, and the registry that its memory is sealed for. */
export type SealPlace = {
  /** The host of the server as its clients use it, with its port where the URL has one. */
  readonly host: string
  readonly chainId: number
  readonly registry: Hex
}

/** The creator, the time in seconds since the Unix epoch, and the sha256 of the body. */
type Claim = { readonly account: Hex; readonly timestamp: number; readonly bodyDigest: Hex }

/** Returns the text that a creator signs (EIP-191) to have one body sealed for it by one server. */
export function sealText({ host, chainId, registry }: SealPlace, claim: Claim): string {
  const { account, timestamp, bodyDigest } = claim
  return `heirloom:seal:${host}:${chainId}:${registry}:${account}:${timestamp}:${bodyDigest}`
}
