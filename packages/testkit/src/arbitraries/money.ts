import {
  type DollarPrices,
  dollars,
  highestPrice,
  noPrices,
  type Terms,
  type Wei,
  wei,
  wholeBps,
} from '@heirloom/core'
import fc, { type Arbitrary } from 'fast-check'

/** Any amount of wei, below 2^256. */
export const arbitraryWei: Arbitrary<Wei> = fc
  .bigInt({ min: 0n, max: 2n ** 256n - 1n })
  .map((amount) => wei(amount))

/** Any price that a listing may have: 0, a few wei, a few native tokens, the highest. */
export const arbitraryPrice: Arbitrary<Wei> = fc
  .oneof(
    { weight: 2, arbitrary: fc.constant(0n) },
    { weight: 3, arbitrary: fc.bigInt({ min: 1n, max: 30_000n }) },
    { weight: 3, arbitrary: fc.bigInt({ min: 1n, max: 3n * 10n ** 18n }) },
    { weight: 1, arbitrary: fc.bigInt({ min: highestPrice - 5n, max: highestPrice }) },
  )
  .map((amount) => wei(amount))

/** Any price above the limit of a listing. */
export const arbitraryUnlistablePrice: Arbitrary<Wei> = fc
  .oneof(
    fc.bigInt({ min: highestPrice + 1n, max: highestPrice + 3n }),
    fc.bigInt({ min: highestPrice + 1n, max: 2n ** 256n - 1n }),
  )
  .map((amount) => wei(amount))

/** Any share in basis points, often near 0 or 100 %. */
export const arbitraryBps: Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, 1, 500, wholeBps - 1, wholeBps),
  fc.integer({ min: 0, max: wholeBps }),
)

/** Terms in wei. */
type NativeTerms = Omit<Terms, 'dollars'>

/** Any terms with at least one price, in wei. */
export const arbitraryTerms: Arbitrary<NativeTerms> = fc
  .record({
    price: arbitraryPrice,
    rentalPricePerDay: arbitraryPrice,
    forkPrice: arbitraryPrice,
    forkRoyaltyBps: arbitraryBps,
  })
  .filter(({ price, rentalPricePerDay, forkPrice }) => price + rentalPricePerDay + forkPrice > 0n)

/** Terms in dollars; the prices in wei are all 0. */
export type DollarTerms = NativeTerms & { readonly dollars: DollarPrices }

/** Any terms with at least one price, in dollars. */
export const arbitraryDollarTerms: Arbitrary<DollarTerms> = arbitraryTerms.map(
  ({ price, rentalPricePerDay, forkPrice, forkRoyaltyBps }) => ({
    ...noPrices,
    forkRoyaltyBps,
    dollars: {
      price: dollars(price),
      rentalPricePerDay: dollars(rentalPricePerDay),
      forkPrice: dollars(forkPrice),
    },
  }),
)
