import { highestPrice } from '@heirloom/core'
import fc from 'fast-check'
import { accountNames, type ModelOrder } from './dollar-model.ts'

/** A price that no listing may have. */
const tooHigh: bigint = highestPrice + 1n

const name = fc.constantFrom(...accountNames)
/** Few prices, so that orders and listings often fit. */
const price = fc.constantFrom(0n, 1n, 999n, 1000n, 1000n, 1000n, 1000n)
const listedPrice = fc.oneof(
  { weight: 9, arbitrary: price },
  { weight: 1, arbitrary: fc.constant(tooHigh) },
)
const owner = fc.oneof(
  { weight: 9, arbitrary: fc.constant('owner' as const) },
  { weight: 1, arbitrary: name },
)
const terms = fc.record({
  perDay: listedPrice,
  inDollars: fc.oneof(
    { weight: 5, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
})
const id = fc.nat({ max: 7 })

const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('list' as const), by: owner, terms }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('listMany' as const),
      by: owner,
      all: fc.array(terms, { maxLength: 3 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('payOrder' as const), id }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('deposit' as const),
      by: name,
      id,
      amount: fc.constantFrom(1n, 999n, 1000n, 2500n, 2500n, 2500n, 10n ** 15n),
    }),
  },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('settle' as const), id }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('refund' as const), by: name, id }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('withdraw' as const), by: name, to: name }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('block' as const),
      isBlocked: fc.boolean(),
      // Mostly those that are paid, so that there is credit.
      name: fc.constantFrom(
        'owner' as const,
        'owner' as const,
        'creator' as const,
        'payer' as const,
      ),
    }),
  },
)
/** An act of a story. */
export type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

const order: fc.Arbitrary<ModelOrder> = fc.record({
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constant('rent' as const) },
    { weight: 2, arbitrary: fc.constant('royalty' as const) },
  ),
  price,
  refundTo: name,
  isLate: fc.oneof(
    { weight: 9, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
})
/** Eight orders, and acts on them. */
export const dollarStory = fc.record({
  orders: fc.array(order, { minLength: 8, maxLength: 8 }),
  acts: fc.noBias(fc.array(act, { minLength: 50, maxLength: 50 })),
})
