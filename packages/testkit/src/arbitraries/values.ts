import {
  type Account,
  account,
  type Digest,
  day,
  digest,
  type Hash,
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
import { arbitraryBytes32 } from './bytes.ts'

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
