import type { Hex } from '@heirloom/core'

/** What a bound proof is made for, besides the token. */
export type Binding = {
  /** Where the server is, as its clients reach it, such as `https://memories.example`. */
  readonly origin: string
  readonly chainId: number
  readonly registry: Hex
}

/** For which token, by whom and when it is signed. */
type Claim = { readonly tokenId: string; readonly address: Hex; readonly timestamp: number }

/** How long a bound proof holds, in seconds. */
const holdsFor = 120

/**
 * Returns the text that proves an account to one server, for one token of one contract pair
 * (EIP-4361). All of it follows from its arguments, so that the server can make it again.
 */
export function boundText({ origin, chainId, registry }: Binding, claim: Claim): string {
  const { tokenId, address, timestamp } = claim
  // The nonce has at least eight letters and digits, and is another one each second.
  return `${new URL(origin).host} wants you to sign in with your Ethereum account:
${address}

Open the memory of token ${tokenId}.

URI: ${origin}/api/memory/${tokenId}
Version: 1
Chain ID: ${chainId}
Nonce: token${tokenId}at${timestamp}
Issued At: ${isoOf(timestamp)}
Expiration Time: ${isoOf(timestamp + holdsFor)}
Resources:
- eip155:${chainId}/erc721:${registry}/${tokenId}`
}

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString()
