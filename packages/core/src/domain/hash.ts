import { Failure } from '../failure.ts'

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
 * Parses a content hash into lower case.
 *
 * @throws `value/invalid`
 */
export const hash = (text: string): Hash => bytes32(text, 'content hash') as Hash

/**
 * Parses a storage digest into lower case.
 *
 * @throws `value/invalid`
 */
export const digest = (text: string): Digest => bytes32(text, 'storage digest') as Digest

/**
 * Parses a salt into lower case.
 *
 * @throws `value/invalid`
 */
export const salt = (text: string): Salt => bytes32(text, 'salt') as Salt

/** Returns the storage URI of a sealed bundle. */
export function storageUri(of: Digest): string {
  return `v2:ipfs://${of}`
}

/** A hash of zeros, in the place of one that is not known yet. */
export const zeroHash = hash(`0x${'0'.repeat(64)}`)

function bytes32(text: string, kind: string): string {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) {
    throw new Failure('value/invalid', { kind, problem: 'must be 0x and 64 hexadecimal digits' })
  }
  return text.toLowerCase()
}
