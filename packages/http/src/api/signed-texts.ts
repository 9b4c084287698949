import type { Hex } from '@heirloom/core'

/** The server and the registry that a signed request is for: it counts nowhere else. */
export type SignedPlace = {
  /** The host of the server as its clients use it, with its port where the URL has one. */
  readonly host: string
  readonly chainId: number
  readonly registry: Hex
}

/** The server that a bound proof is valid for. */
export type Binding = {
  /** The origin of the server as its clients use it, such as `https://memories.example`. */
  readonly origin: string
  readonly chainId: number
  readonly registry: Hex
}

/** Returns the name of a token that is the same everywhere (CAIP-19). */
export const assetOf = (
  { chainId, registry }: Omit<Binding, 'origin'>,
  tokenId: bigint | string,
): string => `eip155:${chainId}/erc721:${registry}/${tokenId}`

/** The claim of a proof: the token, the signer, and the time in seconds since the Unix epoch. */
type AccessClaim = { readonly tokenId: string; readonly address: Hex; readonly timestamp: number }

/** The lifetime of a bound proof, in seconds. */
const lifetime = 120

/**
 * Returns the EIP-4361 text that an account signs to access one token on one server. The text
 * depends only on its arguments, so the server can build it again to verify the signature.
 */
export function boundText(binding: Binding, claim: AccessClaim): string {
  const { tokenId, timestamp } = claim
  // EIP-4361 requires a nonce of eight or more alphanumeric characters; this one changes every second.
  const nonce = `token${tokenId}at${timestamp}`
  return signInText(binding, { ...claim, uri: `${binding.origin}/api/memory/${tokenId}`, nonce })
}

/** The claim of a reader that has a grant. */
type GrantedClaim = AccessClaim & { readonly grant: Hex }

/** Returns the EIP-4361 text that a reader signs to open one token by a grant on one server. */
export function grantedText(binding: Binding, { grant, ...claim }: GrantedClaim): string {
  const { tokenId, timestamp } = claim
  const nonce = `token${tokenId}at${timestamp}`
  const uri = `${binding.origin}/api/granted/${grant}/memory/${tokenId}`
  return signInText(binding, { ...claim, uri, nonce })
}

/** The grant that an owner deposits, its label, and the time in seconds since the Unix epoch. */
type DepositClaim = {
  readonly grant: Hex
  readonly owner: Hex
  readonly label: string
  readonly timestamp: number
}

/**
 * Returns the EIP-4361 text that an owner signs to deposit a grant, at a server that the grant names;
 * the others take it, too.
 */
export const depositText = (
  { origin, chainId }: Omit<Binding, 'registry'>,
  { grant, owner, label, timestamp }: DepositClaim,
): string =>
  `${origin.replace(/^https?:\/\//, '')} wants you to sign in with your Ethereum account:
${owner}

Deposit the grant ${grant}.

URI: ${origin}/api/grants
Version: 1
Chain ID: ${chainId}
Nonce: ${grant.slice(2, 34)}
Issued At: ${isoOf(timestamp)}
Resources:
- urn:heirloom:grant:${grant}
- urn:heirloom:label:${label.replace(/[^\w.-]/gu, escapeCharacter)}`

const escapeCharacter = (it: string): string => `%${(it.codePointAt(0) ?? 0).toString(16)};`

type OfRegistry = Pick<SignedPlace, 'chainId' | 'registry'>

/** Returns the text that an owner signs (EIP-191) to revoke a grant, everywhere and for good. */
export const revokeText = (
  { chainId, registry }: OfRegistry,
  { owner, grant }: { readonly owner: Hex; readonly grant: Hex },
): string => `heirloom:revoke:${chainId}:${registry}:${owner}:${grant}`

/** Returns the text that an owner signs (EIP-191) to revoke what it granted until a time, in seconds. */
export const revokeAllText = (
  { chainId, registry }: OfRegistry,
  { owner, timestamp }: { readonly owner: Hex; readonly timestamp: number },
): string => `heirloom:revoke-all:${chainId}:${registry}:${owner}:${timestamp}`

/** The claim of an account that signs in at one URL, with any nonce of letters and digits. */
type SignInClaim = AccessClaim & { readonly uri: string; readonly nonce: string }

/** Returns the EIP-4361 text that an account signs to open one token at one URL of a server. */
export const signInText = (
  { chainId, registry }: Omit<Binding, 'origin'>,
  { tokenId, address, timestamp, uri, nonce }: SignInClaim,
): string =>
  `${new URL(uri).host} wants you to sign in with your Ethereum account:
${address}

Open the memory of token ${tokenId}.

URI: ${uri}
Version: 1
Chain ID: ${chainId}
Nonce: ${nonce}
Issued At: ${isoOf(timestamp)}
Expiration Time: ${isoOf(timestamp + lifetime)}
Resources:
- ${assetOf({ chainId, registry }, tokenId)}`

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

/** The token, its owner, and the time in seconds since the Unix epoch. */
type ErasureClaim = { readonly tokenId: string; readonly account: Hex; readonly timestamp: number }

/** Returns the text of an act on one server: the act, the server, and what the act is of. */
const textOf = (
  act: string,
  { host, chainId, registry }: SignedPlace,
  ...rest: readonly (string | number)[]
): string => ['heirloom', act, host, chainId, registry, ...rest].join(':')

/** Returns the text that an owner signs (EIP-191) to have the memory of one token erased by one server. */
export const eraseText = (
  place: SignedPlace,
  { tokenId, account, timestamp }: ErasureClaim,
): string => textOf('erase', place, tokenId, account, timestamp)

/** The rated token, its rater, the time in seconds since the Unix epoch, and the opinion. */
type RatingClaim = {
  readonly tokenId: string
  readonly account: Hex
  readonly timestamp: number
  readonly score: number
  readonly comment: string
}

/** Returns the text that an account signs (EIP-191) to rate a token on one server. */
export const rateText = (
  place: SignedPlace,
  { tokenId, account, timestamp, score, comment }: RatingClaim,
): string => textOf('rate', place, tokenId, account, timestamp, score, comment)

/** The account, the time in seconds since the Unix epoch, and how it describes itself. */
type ProfileClaim = {
  readonly account: Hex
  readonly timestamp: number
  readonly name: string
  readonly sentence: string
  readonly link: string
}

/** Returns the text that an account signs (EIP-191) to describe itself on one server. */
export const profileText = (
  place: SignedPlace,
  { account, timestamp, name, sentence, link }: ProfileClaim,
): string =>
  // No part has a line break, so each line says one thing.
  [
    textOf('profile', place, account, timestamp),
    `Name: ${name}`,
    `Sentence: ${sentence}`,
    `Link: ${link}`,
  ].join('\n')

/** The creator, the time in seconds since the Unix epoch, and the sha256 of the body. */
type SealClaim = { readonly account: Hex; readonly timestamp: number; readonly bodyDigest: Hex }

/** Returns the text that a creator signs (EIP-191) to have one body sealed for it by one server. */
export const sealText = (
  place: SignedPlace,
  { account, timestamp, bodyDigest }: SealClaim,
): string => textOf('seal', place, account, timestamp, bodyDigest)

/** A request for names that an account proves. */
type NamesRequest = {
  readonly account: string
  /** Seconds since the Unix epoch. */
  readonly timestamp: number
  readonly method: string
  /** The path of the request as it is sent, with its query. */
  readonly path: string
  /** The sha256 of the body; absent without one. */
  readonly bodyDigest?: Hex | undefined
}

/** Returns the text that an account signs to read, rename or forget its own names. */
export const namesText = (
  place: SignedPlace,
  { account, timestamp, method, path, bodyDigest }: NamesRequest,
): string =>
  textOf('names', place, account, timestamp, method, path, ...(bodyDigest ? [bodyDigest] : []))
