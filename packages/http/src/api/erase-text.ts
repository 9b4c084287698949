import type { Hex } from '@heirloom/core'

/** The server that is asked to erase, and the registry of the token. */
export type ErasePlace = {
  /** The host of the server as its clients use it, with its port where the URL has one. */
  readonly host: string
  readonly chainId: number
  readonly registry: Hex
}

/** The token, its owner, and the time in seconds since the Unix epoch. */
type Claim = { readonly tokenId: string; readonly account: Hex; readonly timestamp: number }

/** Returns the text that an owner signs (EIP-191) to have the memory of one token erased by one server. */
export function eraseText({ host, chainId, registry }: ErasePlace, claim: Claim): string {
  const { tokenId, account, timestamp } = claim
  return `heirloom:erase:${host}:${chainId}:${registry}:${tokenId}:${account}:${timestamp}`
}
