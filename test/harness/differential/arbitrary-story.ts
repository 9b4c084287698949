import { type Digest, day, type Hash, hash, highestPrice, type Wei, wei } from '@heirloom/core'
import {
  arbitraryBps,
  arbitraryDays,
  arbitraryDigest,
  arbitraryHash,
  arbitraryPrice,
  arbitraryUnlistablePrice,
} from '@heirloom/testkit'
import fc, { type Arbitrary } from 'fast-check'

/** Who acts: a party by its place in the world, the pauper, or whoever owns the token. */
export type Actor = 0 | 1 | 2 | 3 | 'pauper' | 'owner'

/** Who receives; a guest is one whose rental of the token still runs. */
export type Recipient = 0 | 1 | 2 | 3 | 'pauper' | 'payer' | 'nobody' | 'guest'

/** Which token is meant: a number that stands for one that exists, or for one that does not. */
export type Pick = number | 'newest' | 'unminted' | 'zero' | 'huge'

/** What is paid, seen from the price that the listing asks. */
export type Offer = 'exact' | 'under' | 'over' | 'nothing' | 'fortune'

type Terms = {
  readonly price: Wei
  readonly rentalPricePerDay: Wei
  readonly forkPrice: Wei
  readonly forkRoyaltyBps: number
}

/** One command of a story, which takes its meaning from the state it meets. */
export type Move =
  | {
      readonly verb: 'mint'
      readonly who: Actor
      readonly parent: Pick | undefined
      readonly to: Recipient
      readonly contentHash: Hash
      readonly digest: Digest
    }
  | { readonly verb: 'list'; readonly who: Actor; readonly token: Pick; readonly terms: Terms }
  | {
      readonly verb: 'buy'
      readonly who: Actor
      readonly token: Pick
      readonly offer: Offer
      readonly to: Recipient
    }
  | {
      readonly verb: 'rent'
      readonly who: Actor
      readonly token: Pick
      readonly offer: Offer
      readonly to: Recipient
      readonly days: number
    }
  | {
      readonly verb: 'fork'
      readonly who: Actor
      readonly token: Pick
      readonly offer: Offer
      readonly to: Recipient
      /** The accepted total, above or below the one that the listing shows. */
      readonly tolerance: number
    }
  | { readonly verb: 'payRoyalty'; readonly who: Actor; readonly token: Pick; readonly amount: Wei }
  | { readonly verb: 'transfer'; readonly who: Actor; readonly token: Pick; readonly to: Recipient }
  | { readonly verb: 'wait'; readonly milliseconds: number }

const often = <T>(weight: number, arbitrary: Arbitrary<T>) => ({ weight, arbitrary })

const party = fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const)
const payer = fc.oneof(often(12, party), often(1, fc.constant('pauper' as const)))
const owner = fc.oneof(often(6, fc.constant('owner' as const)), often(1, payer))
const recipient = fc.oneof(
  often(6, fc.constant('payer' as const)),
  often(5, party),
  often(2, fc.constantFrom('pauper' as const, 'nobody' as const)),
)
const token = fc.oneof(
  often(16, fc.nat({ max: 59 })),
  often(1, fc.constantFrom('unminted' as const, 'zero' as const, 'huge' as const)),
)
const parent = fc.oneof(
  often(4, fc.constant(undefined)),
  often(4, fc.nat({ max: 59 })),
  often(1, fc.constantFrom('unminted' as const, 'zero' as const, 'huge' as const)),
)
const offer = fc.oneof(
  often(12, fc.constant('exact' as const)),
  often(1, fc.constantFrom('under' as const, 'over' as const, 'nothing' as const)),
  often(1, fc.constant('fortune' as const)),
)
const price = fc.oneof(often(24, arbitraryPrice), often(1, arbitraryUnlistablePrice))
const terms = fc.record({
  price,
  rentalPricePerDay: price,
  forkPrice: price,
  forkRoyaltyBps: fc.oneof(
    often(24, arbitraryBps),
    often(1, fc.constantFrom(10_001, 16_383, 16_384, 65_536, 2 ** 31)),
  ),
})
const days = fc.oneof(
  often(4, fc.integer({ min: 1, max: 60 })),
  often(3, arbitraryDays),
  often(1, fc.constantFrom(0, 0.5, 366, 65_536, 2 ** 40)),
)
const tolerance = fc.oneof(
  often(4, fc.constantFrom(0, 1, 10_000)),
  often(1, fc.constantFrom(-1, -500)),
)
const amount = fc.oneof(often(6, arbitraryPrice), often(1, fc.constant(wei(highestPrice + 1n))))

const verb = <Name extends Move['verb']>(name: Name) => fc.constant(name)
const noHash = fc.constant(hash(`0x${'00'.repeat(32)}`))
const contentHash = fc.oneof(often(16, arbitraryHash), often(1, noHash))
const content = { verb: verb('mint'), contentHash, digest: arbitraryDigest }
const mint = fc.record({ ...content, who: payer, parent, to: recipient })
const root = fc.record({
  ...content,
  contentHash: arbitraryHash,
  who: party,
  parent: fc.constant(undefined),
  to: fc.constant('payer' as const),
})
const payment = { who: payer, token, offer, to: recipient }

const rent = { verb: verb('rent'), who: payer, token, offer, days }

/** Two commands that make a line of forks one generation longer. */
const generation = fc
  .record({ who: party, forkPrice: fc.bigInt({ min: 1n, max: 30_000n }), royalty: arbitraryBps })
  .map(({ who, forkPrice, royalty: forkRoyaltyBps }): readonly Move[] => {
    const terms = { price: wei(0n), rentalPricePerDay: wei(forkPrice), forkPrice: wei(forkPrice) }
    const exact = { offer: 'exact', to: 'payer', tolerance: 0 } as const
    return [
      { verb: 'list', who: 'owner', token: 'newest', terms: { ...terms, forkRoyaltyBps } },
      { verb: 'fork', who, token: 'newest', ...exact },
    ]
  })
const lineage = fc.oneof(
  often(3, fc.constant([])),
  often(1, fc.array(generation, { maxLength: 10, size: 'max' })),
)

/** How long nothing happens, when a chain may take its own time: hours to years. */
const longWaits = fc.constantFrom(3_600_000, day, 7 * day, 30 * day, 364 * day, 365 * day)

/** How long nothing happens on a clock that stands still otherwise: also parts of a second. */
const anyWaits = fc.oneof(
  often(3, longWaits),
  often(1, fc.constantFrom(0, 1, 500, 999, 1000, 86_399_999)),
)

/** Returns any story; on a chain that keeps its own time it waits only for hours and longer. */
export function arbitraryStory({
  ownTime,
  length,
}: {
  readonly ownTime: boolean
  readonly length: number
}): Arbitrary<readonly Move[]> {
  const milliseconds = ownTime ? longWaits : anyWaits
  const move: Arbitrary<Move> = fc.oneof(
    often(4, mint),
    often(12, fc.record({ verb: verb('list'), who: owner, token, terms })),
    often(6, fc.record({ verb: verb('buy'), ...payment })),
    often(8, fc.record({ ...rent, to: recipient })),
    often(3, fc.record({ ...rent, to: fc.constant('guest' as const) })),
    often(10, fc.record({ verb: verb('fork'), ...payment, tolerance })),
    often(3, fc.record({ verb: verb('payRoyalty'), who: payer, token, amount })),
    often(3, fc.record({ verb: verb('transfer'), who: owner, token, to: recipient })),
    often(3, fc.record({ verb: verb('wait'), milliseconds })),
  )
  // Without bias, because it makes most stories too short to come to a sale.
  const rest = fc.noBias(fc.array(move, { maxLength: length, size: 'max' }))
  return fc
    .tuple(root, lineage, rest)
    .map(([first, generations, then]) => [first, ...generations.flat(), ...then])
}
