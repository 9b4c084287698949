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
import { type DollarCommand, dollarCommands, plannedOrders } from './dollar-commands.ts'
import { type HeirCommand, heirCommands, inheritance } from './heir-commands.ts'

/** The acting wallet: a party by its index, the pauper, or the owner of the token. */
export type Actor = 0 | 1 | 2 | 3 | 'pauper' | 'owner'

/** The receiver; a guest is a wallet with a current rental of the token. */
export type Recipient = 0 | 1 | 2 | 3 | 'pauper' | 'payer' | 'nobody' | 'guest'

/** The choice of a token: a number selects an existing one, a name a special or missing one. */
export type Pick = number | 'newest' | 'unminted' | 'zero' | 'huge'

/** The amount to pay, relative to the price of the listing. */
export type Offer = 'exact' | 'under' | 'over' | 'nothing' | 'fortune'

type Terms = {
  readonly price: Wei
  readonly rentalPricePerDay: Wei
  readonly forkPrice: Wei
  readonly forkRoyaltyBps: number
}

/** One command of a story, to be resolved in the state at that time. */
export type Command =
  | DollarCommand
  | HeirCommand
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
      /** The accepted total royalty, relative to the one that the listing shows. */
      readonly tolerance: number
    }
  | { readonly verb: 'payRoyalty'; readonly who: Actor; readonly token: Pick; readonly amount: Wei }
  | { readonly verb: 'transfer'; readonly who: Actor; readonly token: Pick; readonly to: Recipient }
  | { readonly verb: 'wait'; readonly milliseconds: number }

const weighted = <T>(weight: number, arbitrary: Arbitrary<T>) => ({ weight, arbitrary })

const party = fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const)
const payer = fc.oneof(weighted(12, party), weighted(1, fc.constant('pauper' as const)))
const owner = fc.oneof(weighted(6, fc.constant('owner' as const)), weighted(1, payer))
const recipient = fc.oneof(
  weighted(6, fc.constant('payer' as const)),
  weighted(5, party),
  weighted(2, fc.constantFrom('pauper' as const, 'nobody' as const)),
)
const token = fc.oneof(
  weighted(16, fc.nat({ max: 59 })),
  weighted(1, fc.constantFrom('unminted' as const, 'zero' as const, 'huge' as const)),
)
const parent = fc.oneof(
  weighted(4, fc.constant(undefined)),
  weighted(4, fc.nat({ max: 59 })),
  weighted(1, fc.constantFrom('unminted' as const, 'zero' as const, 'huge' as const)),
)
const offer = fc.oneof(
  weighted(12, fc.constant('exact' as const)),
  weighted(1, fc.constantFrom('under' as const, 'over' as const, 'nothing' as const)),
  weighted(1, fc.constant('fortune' as const)),
)
const price = fc.oneof(weighted(24, arbitraryPrice), weighted(1, arbitraryUnlistablePrice))
const terms = fc.record({
  price,
  rentalPricePerDay: price,
  forkPrice: price,
  forkRoyaltyBps: fc.oneof(
    weighted(24, arbitraryBps),
    weighted(1, fc.constantFrom(10_001, 16_383, 16_384, 65_536, 2 ** 31)),
  ),
})
const days = fc.oneof(
  weighted(4, fc.integer({ min: 1, max: 60 })),
  weighted(3, arbitraryDays),
  // Two of these for one account are more than a rental may have.
  weighted(2, fc.integer({ min: 200, max: 365 })),
  weighted(1, fc.constantFrom(0, 0.5, 366, 65_536, 2 ** 40)),
)
const tolerance = fc.oneof(
  weighted(4, fc.constantFrom(0, 1, 10_000)),
  weighted(1, fc.constantFrom(-1, -500)),
)
const amount = fc.oneof(
  weighted(6, arbitraryPrice),
  weighted(1, fc.constant(wei(highestPrice + 1n))),
)

const verb = <Name extends Command['verb']>(name: Name) => fc.constant(name)
const noHash = fc.constant(hash(`0x${'00'.repeat(32)}`))
const contentHash = fc.oneof(weighted(16, arbitraryHash), weighted(1, noHash))
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

/** Two commands that extend a line of forks by one generation. */
const generation = fc
  .record({ who: party, forkPrice: fc.bigInt({ min: 1n, max: 30_000n }), royalty: arbitraryBps })
  .map(({ who, forkPrice, royalty: forkRoyaltyBps }): readonly Command[] => {
    const terms = { price: wei(0n), rentalPricePerDay: wei(forkPrice), forkPrice: wei(forkPrice) }
    const exact = { offer: 'exact', to: 'payer', tolerance: 0 } as const
    return [
      { verb: 'list', who: 'owner', token: 'newest', terms: { ...terms, forkRoyaltyBps } },
      { verb: 'fork', who, token: 'newest', ...exact },
    ]
  })
const lineage = fc.oneof(
  weighted(3, fc.constant([])),
  weighted(1, fc.array(generation, { maxLength: 10, size: 'max' })),
)

/** Waiting times of hours to years, for a chain with its own clock. */
const longWaits = fc.constantFrom(3_600_000, day, 7 * day, 30 * day, 364 * day, 365 * day)

/** Waiting times for a stopped clock, with fractions of a second. */
const anyWaits = fc.oneof(
  weighted(3, longWaits),
  weighted(1, fc.constantFrom(0, 1, 500, 999, 1000, 86_399_999)),
)

/** Returns an arbitrary story. On a chain with its own clock it waits only for hours or longer. */
export function arbitraryStory({
  hasOwnTime,
  length,
}: {
  readonly hasOwnTime: boolean
  readonly length: number
}): Arbitrary<readonly Command[]> {
  const milliseconds = hasOwnTime ? longWaits : anyWaits
  const native: readonly Weighted[] = [
    weighted(4, mint),
    weighted(12, fc.record({ verb: verb('list'), who: owner, token, terms })),
    weighted(10, fc.record({ verb: verb('buy'), ...payment })),
    weighted(8, fc.record({ ...rent, to: recipient })),
    weighted(3, fc.record({ ...rent, to: fc.constant('guest' as const) })),
    weighted(10, fc.record({ verb: verb('fork'), ...payment, tolerance })),
    weighted(3, fc.record({ verb: verb('payRoyalty'), who: payer, token, amount })),
    weighted(5, fc.record({ verb: verb('transfer'), who: owner, token, to: recipient })),
    weighted(3, fc.record({ verb: verb('wait'), milliseconds })),
  ]
  const dollars = dollarCommands({ who: payer, owner, token, to: recipient, offer, tolerance })
  const heirs = heirCommands({ who: payer, token })
  const none = fc.constant([])
  // Each story is about little, so that its commands meet; the shortest is found among the first.
  return fc.oneof(
    { withCrossShrink: true },
    weighted(3, storyOf(native, none, length)),
    weighted(2, storyOf([...native, ...dollars], plannedOrders, length)),
    weighted(1, storyOf([...native, ...heirs], inheritance, length)),
    weighted(1, storyOf([...native, ...dollars, ...heirs], inheritance, length)),
  )
}

type Weighted = { readonly weight: number; readonly arbitrary: Arbitrary<Command> }

function storyOf(
  commands: readonly Weighted[],
  directed: Arbitrary<readonly Command[]>,
  length: number,
): Arbitrary<readonly Command[]> {
  // Without bias, which would make most stories too short for a sale.
  const rest = fc.noBias(fc.array(fc.oneof(...commands), { maxLength: length, size: 'max' }))
  return fc
    .tuple(root, lineage, rest, directed, fc.nat({ max: length }))
    .map(([first, generations, then, planned, at]) => [
      ...[first, ...generations.flat()],
      ...[...then.slice(0, at), ...planned, ...then.slice(at)],
    ])
}
