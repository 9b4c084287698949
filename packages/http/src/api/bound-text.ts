import type { Hex } from '@heirloom/core'

/** The server that a bound proof is valid for. */
export type Binding = {
  /** The origin of the server as its clients use it, such as `https://memories.example`. */
  readonly origin: string
  readonly chainId: number
  readonly registry: Hex
}

/** The claim of a proof: the token, the signer, and the time in seconds since the Unix epoch. */
type Claim = { readonly tokenId: string; readonly address: Hex; readonly timestamp: number }

/** The lifetime of a bound proof, in seconds. */
const lifetime = 120

/**
 * Returns the EIP-4361 text that an account signs to access one token on one server. The text
 * depends only on its arguments, so the server can build it again to verify the signature.
 */
export function boundText({ origin, chainId, registry }: Binding, claim: Claim): string {
  const { tokenId, address, timestamp } = claim
  // EIP-4361 requires a nonce of eight or more alphanumeric characters; this one changes every second.
  return `${new URL(origin).host} wants you to sign in with your Ethereum account:
${address}

Open the memory of token ${tokenId}.

URI: ${origin}/api/memory/${tokenId}
Version: 1
Chain ID: ${chainId}
Nonce: token${tokenId}at${timestamp}
Issued At: ${isoOf(timestamp)}
Expiration Time: ${isoOf(timestamp + lifetime)}
Resources:
- eip155:${chainId}/erc721:${registry}/${tokenId}`
}

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString()
