import { createCipheriv } from 'node:crypto'
import {
  type Account,
  account,
  type Digest,
  day,
  digest,
  type Hash,
  type Hex,
  hash,
  type Instant,
  instant,
  maxRentalDays,
  type Salt,
  type SealContext,
  salt,
  type TokenId,
  tokenId,
} from '@heirloom/core'
import fc, { type Arbitrary } from 'fast-check'
import { getAddress } from 'viem'

const mebibyte = 2 ** 20

/** Any bytes: mostly few, sometimes more than one chunk of a blob store or a cipher. */
export const arbitraryBlob: Arbitrary<Uint8Array> = fc.oneof(
  { weight: 30, arbitrary: fc.uint8Array({ maxLength: 300 }) },
  { weight: 2, arbitrary: repeatedPattern(fc.integer({ min: 300, max: 70_000 })) },
  {
    weight: 1,
    arbitrary: repeatedPattern(
      fc.constantFrom(mebibyte - 1, mebibyte, mebibyte + 1, 2 * mebibyte + 12_345),
    ),
  },
)

const arbitrarySeed = fc.uint8Array({ minLength: 32, maxLength: 32 })

/** Two to eight blobs that look random, as sealed bundles do, so that no two share a block. */
export const sealedBlobs: Arbitrary<readonly Uint8Array[]> = fc
  .uniqueArray(fc.tuple(arbitrarySeed, arbitraryBlob), {
    minLength: 2,
    maxLength: 8,
    selector: ([seed]) => Buffer.from(seed).toString('hex'),
  })
  .map((pairs) => pairs.map(([seed, blob]) => Buffer.concat([seed, scramble(seed, blob)])))

function scramble(seed: Uint8Array, blob: Uint8Array): Uint8Array {
  return createCipheriv('aes-256-ctr', seed, Buffer.alloc(16)).update(blob)
}

/** 32 bytes in hexadecimal, never all zero: on a chain zero means absent. */
export const arbitraryBytes32: Arbitrary<Hex> = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((bytes) => bytes.some((byte) => byte !== 0))
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)

/** Repeats a short pattern, because generating a million single bytes takes a second. */
function repeatedPattern(lengths: Arbitrary<number>): Arbitrary<Uint8Array> {
  return fc
    .tuple(lengths, fc.uint8Array({ minLength: 1, maxLength: 61 }))
    .map(([length, pattern]) => {
      const bytes = Uint8Array.from(Buffer.alloc(length, Buffer.from(pattern)))
      // A plain loop: `map` calls a function for each of millions of bytes.
      for (let at = 256; at < length; at++) bytes[at] = (bytes[at] ?? 0) + (at >> 8)
      return bytes
    })
}

/** Any account except the zero address, checksummed (EIP-55). */
export const arbitraryAccount: Arbitrary<Account> = fc
  .bigInt({ min: 1n, max: 2n ** 160n - 1n })
  .map((number) => account(getAddress(`0x${number.toString(16).padStart(40, '0')}`)))

/** Any token id, often a low one. */
export const arbitraryTokenId: Arbitrary<TokenId> = fc
  .oneof(fc.bigInt({ min: 1n, max: 20n }), fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }))
  .map((id) => tokenId(id))

/** Any valid duration of a rental, in whole days. */
export const arbitraryDays: Arbitrary<number> = fc.oneof(
  fc.constantFrom(1, 2, 30, maxRentalDays - 1, maxRentalDays),
  fc.integer({ min: 1, max: maxRentalDays }),
)

/** Any instant from 1970 to a thousand years later. */
export const arbitraryInstant: Arbitrary<Instant> = fc
  .integer({ min: 0, max: 365_250 * day })
  .map((milliseconds) => instant(milliseconds))

/** Any content hash. */
export const arbitraryHash: Arbitrary<Hash> = arbitraryBytes32.map(hash)

/** Any storage digest. */
export const arbitraryDigest: Arbitrary<Digest> = arbitraryBytes32.map(digest)

/** Any salt. */
export const arbitrarySalt: Arbitrary<Salt> = arbitraryBytes32.map(salt)

/** Any context of a sealed bundle. */
export const arbitraryContext: Arbitrary<SealContext> = fc
  .tuple(
    fc.oneof(fc.constantFrom(1, 31_337), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
    arbitraryAccount,
    arbitraryAccount,
  )
  .map(([chainId, address, creator]) => ({ registry: { chainId, address }, creator }))
