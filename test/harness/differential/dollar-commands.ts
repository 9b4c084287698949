import { type Dollars, day, dollars, type OrderAct, orderActs, wei } from '@heirloom/core'
import { arbitraryBps, arbitraryDays, arbitraryPrice } from '@heirloom/testkit'
import fc, { type Arbitrary } from 'fast-check'
import type { Actor, Command, Offer, Pick, Recipient } from './arbitrary-story.ts'

/** A part of a price, the price, or more than it. */
export type Deposit = 'part' | 'whole' | 'more'

/** A party by its index. */
type PartyIndex = 0 | 1 | 2 | 3

type DollarTerms = {
  readonly price: Dollars
  readonly rentalPricePerDay: Dollars
  readonly forkPrice: Dollars
}

/** A command in dollars, to be resolved in the state at that time. */
export type DollarCommand =
  | {
      readonly verb: 'listInDollars'
      readonly who: Actor
      readonly token: Pick
      readonly terms: DollarTerms
      readonly forkRoyaltyBps: number
      /** A price in wei beside those in dollars, which is refused. */
      readonly besides: bigint
    }
  | {
      readonly verb: 'order'
      readonly act: OrderAct
      readonly who: Actor
      readonly token: Pick
      readonly offer: Offer
      readonly to: Recipient
      readonly days: number
      /** The accepted total royalty, relative to the one that the listing shows. */
      readonly tolerance: number
      /** The flaw of an order that fits otherwise. */
      readonly flaw: 'none' | 'expired' | 'foreign asset'
      /** The part of the price that is sent to the address of the order; it is paid at once when absent. */
      readonly deposit: Deposit | undefined
      /** The party that gets a refund; the recipient when absent. */
      readonly refundTo: PartyIndex | undefined
    }
  /** Pays the last order once more. */
  | { readonly verb: 'order again'; readonly who: Actor }
  /** Carries out the last order with what is at its address. */
  | { readonly verb: 'settle'; readonly who: Actor }
  /** Asks for a refund of the last order. */
  | { readonly verb: 'refund'; readonly who: Actor | 'refundee' }

type Parts = {
  readonly who: Arbitrary<Actor>
  readonly owner: Arbitrary<Actor>
  readonly token: Arbitrary<Pick>
  readonly to: Arbitrary<Recipient>
  readonly offer: Arbitrary<Offer>
  readonly tolerance: Arbitrary<number>
}

const party = fc.constantFrom<PartyIndex[]>(0, 1, 2, 3)
const refundee = fc.constant('refundee' as const)

const few = fc.bigInt({ min: 0n, max: 50_000n })
const price = fc
  .oneof({ weight: 6, arbitrary: few }, { weight: 1, arbitrary: arbitraryPrice })
  .map(dollars)
const days = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 2, arbitrary: arbitraryDays },
  { weight: 1, arbitrary: fc.constantFrom(0, 366) },
)

/** Returns the commands in dollars, each with its weight. */
export const dollarCommands = ({ who, owner, token, to, offer, tolerance }: Parts) => {
  const terms = fc.record({ price, rentalPricePerDay: price, forkPrice: price })
  const besides = fc.oneof(
    { weight: 20, arbitrary: fc.constant(0n) },
    { weight: 1, arbitrary: fc.constant(1n) },
  )
  const listing = fc.record<Extract<DollarCommand, { verb: 'listInDollars' }>>({
    verb: fc.constant('listInDollars'),
    who: owner,
    token,
    terms,
    besides,
    forkRoyaltyBps: arbitraryBps,
  })
  const order = fc.record<Extract<DollarCommand, { verb: 'order' }>>({
    verb: fc.constant('order'),
    act: fc.constantFrom(...orderActs),
    who,
    token,
    offer,
    to,
    days,
    tolerance,
    flaw: fc.oneof(
      { weight: 16, arbitrary: fc.constant('none' as const) },
      { weight: 1, arbitrary: fc.constantFrom('expired' as const, 'foreign asset' as const) },
    ),
    deposit: fc.oneof(
      { weight: 2, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom('part', 'whole', 'whole', 'more') },
    ),
    refundTo: fc.oneof(
      { weight: 1, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: party },
    ),
  })
  const settlement = fc.record<Extract<DollarCommand, { verb: 'settle' }>>({
    verb: fc.constant('settle'),
    who,
  })
  const refund = fc.record<Extract<DollarCommand, { verb: 'refund' }>>({
    verb: fc.constant('refund'),
    who: fc.oneof({ weight: 1, arbitrary: who }, { weight: 1, arbitrary: refundee }),
  })
  const again = fc.record<Extract<DollarCommand, { verb: 'order again' }>>({
    verb: fc.constant('order again'),
    who,
  })
  return [
    { weight: 10, arbitrary: listing },
    { weight: 16, arbitrary: order },
    { weight: 2, arbitrary: again },
    { weight: 5, arbitrary: settlement },
    { weight: 4, arbitrary: refund },
  ] as const
}

type AnyCommand = DollarCommand | Extract<Command, { verb: 'wait' | 'list' | 'rent' }>

/** A royalty for a token that nobody made, and once more after its deadline: few random stories do that. */
const lostRoyalty: Arbitrary<readonly AnyCommand[]> = fc
  .record({ who: party, amount: fc.integer({ min: 1, max: 60 }) })
  .map(({ who, amount }): readonly AnyCommand[] => [
    { ...fitting, act: 'royalty', who, token: 'unminted', days: amount, deposit: undefined },
    { verb: 'wait', milliseconds: day },
    { verb: 'order again', who },
  ])

const fitting = {
  verb: 'order',
  token: 'newest',
  offer: 'exact',
  to: 'payer',
  tolerance: 0,
  flaw: 'none',
  refundTo: undefined,
} as const

/** The commands that end an order that was paid at its address. */
const fates: { readonly [fate: string]: (who: PartyIndex, listing: AnyCommand) => AnyCommand[] } = {
  settled: (who) => [
    { verb: 'refund', who },
    { verb: 'settle', who },
    { verb: 'settle', who },
    { verb: 'refund', who: 'refundee' },
  ],
  refused: (who, listing) => [listing, { verb: 'settle', who }, { verb: 'refund', who }],
  late: (who) => [
    { verb: 'wait', milliseconds: day },
    { verb: 'settle', who },
    { verb: 'refund', who },
    { verb: 'settle', who },
  ],
}

/** An order that is paid at its address, and what becomes of it. */
const depositedOrder: Arbitrary<readonly AnyCommand[]> = fc
  .record({
    act: fc.constantFrom(...orderActs),
    who: party,
    other: party,
    fate: fc.constantFrom(...Object.keys(fates)),
    deposit: fc.constantFrom<Deposit[]>('whole', 'more'),
    days: fc.constantFrom(3, 3, 3, 0),
    flaw: fc.constantFrom('none' as const, 'none', 'none', 'foreign asset'),
  })
  .map(({ other, fate, ...given }): readonly AnyCommand[] => {
    const order = { ...fitting, ...given }
    return [listingAt(1000n), order, ...(fates[fate]?.(other, listingAt(2000n)) ?? [])]
  })

/** Orders that do not fit their listing, then orders that do. */
const misfits: Arbitrary<readonly AnyCommand[]> = party.map((who) => {
  const order = { ...fitting, who, days: 3, deposit: undefined }
  return [
    { ...listingAt(1000n), forkRoyaltyBps: 500 },
    { ...order, act: 'buy', offer: 'over' },
    { ...order, act: 'rent', days: 0 },
    { ...order, act: 'royalty', days: 0 },
    { ...order, act: 'fork', tolerance: -1 },
    { ...order, act: 'fork' },
    { verb: 'order again', who },
  ]
})

/** A rental in wei, which is renewed once the token is listed in dollars. */
const otherCurrency: Arbitrary<readonly AnyCommand[]> = party.map((who) => {
  const price = wei(10n)
  const terms = { price, rentalPricePerDay: price, forkPrice: price, forkRoyaltyBps: 0 }
  const rent = { verb: 'rent', who, token: 'newest', offer: 'exact', to: 'payer', days: 3 } as const
  const listing = { verb: 'list', who: 'owner', token: 'newest', terms } as const
  return [listing, rent, { ...rent, offer: 'over' }, listingAt(1000n), rent]
})

const listingAt = (amount: bigint): Extract<DollarCommand, { verb: 'listInDollars' }> => {
  const price = dollars(amount)
  const terms = { price, rentalPricePerDay: price, forkPrice: price }
  const of = { verb: 'listInDollars', who: 'owner', token: 'newest' } as const
  return { ...of, terms, forkRoyaltyBps: 0, besides: 0n }
}

/** Often nothing, and else orders that random stories hardly reach. */
export const plannedOrders: Arbitrary<readonly AnyCommand[]> = fc.oneof(
  { withCrossShrink: true },
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: lostRoyalty },
  { weight: 3, arbitrary: depositedOrder },
  { weight: 1, arbitrary: misfits },
  { weight: 1, arbitrary: otherCurrency },
)
