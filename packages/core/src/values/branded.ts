// The branded values as types alone. They stand apart from the functions that make them, which throw
// failures, because the facts of failures are such values.

declare const brand: unique symbol

/** Bytes as `0x` and hexadecimal digits. */
export type Hex = `0x${string}`

/** A content hash: sha256(salt ‖ document), 32 bytes. */
export type Hash = Hex & { readonly [brand]: 'Hash' }

/** The sha2-256 digest of the root IPFS block of a sealed bundle, 32 bytes. */
export type Digest = Hex & { readonly [brand]: 'Digest' }

/** The 32 random bytes that precede the document in its content hash. */
export type Salt = Hex & { readonly [brand]: 'Salt' }

/**
 * A wallet or contract address: `0x` and 40 hexadecimal digits. A ledger returns it checksummed
 * (EIP-55).
 */
export type Account = Hex & { readonly [brand]: 'Account' }

/** An amount of the chain's native token, in wei. */
export type Wei = bigint & { readonly [brand]: 'Wei' }

/** An amount of the dollar of a contract pair, in its smallest unit: a millionth of a dollar. */
export type Dollars = bigint & { readonly [brand]: 'Dollars' }

/** The currencies of prices: the chain's native token, and the dollar of the contract pair. */
export const currencies = ['native', 'dollar'] as const

/** A currency of prices. */
export type Currency = (typeof currencies)[number]

/** The id of a token (ERC-721 `tokenId`); the first token has the id 1. */
export type TokenId = bigint & { readonly [brand]: 'TokenId' }

/** An instant, in whole milliseconds since the Unix epoch. */
export type Instant = number & { readonly [brand]: 'Instant' }
