import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DollarRelay, openDollarRelay } from '../harness/chain/dollar-relay.ts'
import { type DollarToken, openDollarToken, tooHigh } from '../harness/differential/dollar-chain.ts'
import {
  accountNames,
  type DollarModel,
  dollarModel,
  type ModelOrder,
  type Result,
} from '../harness/differential/dollar-model.ts'

/** `DOLLAR_STORIES` sets the number of stories, and `FC_SEED` selects other random ones. */
const stories = Number(process.env.DOLLAR_STORIES ?? 5)
const seed = Number(process.env.FC_SEED ?? 11)

let chain: DollarRelay
beforeAll(async () => {
  chain = await openDollarRelay()
})
afterAll(() => chain.close())

const name = fc.constantFrom(...accountNames)
/** Few prices, so that orders and listings often fit. */
const price = fc.constantFrom(0n, 1n, 999n, 1000n)
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
      ...{ kind: fc.constant('listMany' as const), by: owner },
      all: fc.array(terms, { maxLength: 3 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('payOrder' as const), id }) },
  {
    weight: 8,
    arbitrary: fc.record({
      ...{ kind: fc.constant('deposit' as const), by: name, id },
      amount: fc.constantFrom(1n, 999n, 1000n, 2500n, 10n ** 15n),
    }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('settle' as const), id }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('refund' as const), by: name, id }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('withdraw' as const), by: name, to: name }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ kind: fc.constant('block' as const), name, isBlocked: fc.boolean() },
    }),
  },
)
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

const order: fc.Arbitrary<ModelOrder> = fc.record({
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constant('rent' as const) },
    { weight: 1, arbitrary: fc.constant('royalty' as const) },
  ),
  ...{ price, refundTo: name },
  isLate: fc.oneof(
    { weight: 7, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
})
const story = fc.record({
  orders: fc.array(order, { minLength: 8, maxLength: 8 }),
  acts: fc.noBias(fc.array(act, { minLength: 50, maxLength: 50 })),
})

type World = { readonly model: DollarModel; readonly token: DollarToken }

/** Performs an act in the model and on the chain. */
async function perform(
  { model, token }: World,
  it: Act,
  orderAt: (id: number) => ModelOrder,
): Promise<readonly [expected: Result, actual: Result]> {
  switch (it.kind) {
    case 'list':
      return [model.list(it.by, it.terms), await token.list(it.by, it.terms)]
    case 'listMany':
      return [model.listMany(it.by, it.all), await token.listMany(it.by, it.all)]
    case 'withdraw':
      return [model.withdraw(it.by, it.to), await token.withdraw(it.by, it.to)]
    case 'block':
      return [model.block(it.name, it.isBlocked), await token.block(it.name, it.isBlocked)]
    default:
      return performOrder({ model, token }, it, orderAt(it.id))
  }
}

type OrderAct = Exclude<Act, { kind: 'list' | 'listMany' | 'withdraw' | 'block' }>

async function performOrder(
  { model, token }: World,
  it: OrderAct,
  of: ModelOrder,
): Promise<readonly [expected: Result, actual: Result]> {
  switch (it.kind) {
    case 'payOrder':
      return [model.payOrder(it.id, of), await token.payOrder(it.id, of)]
    case 'settle':
      return [model.settle(it.id, of), await token.settle(it.id, of)]
    case 'refund':
      return [model.refund(it.by, it.id, of), await token.refund(it.by, it.id, of)]
    default: {
      const { by, id: at, amount } = it
      return [model.deposit(by, at, amount), await token.deposit(by, at, of, amount)]
    }
  }
}

test('orders, deposits, refunds and credits are those of a model, with a dollar that refuses accounts', async () => {
  const endings = new Map<string, number>()
  for (const { orders, acts } of fc.sample(story, { numRuns: stories, seed })) {
    const token = await openDollarToken(chain)
    for (const each of accountNames) await token.block(each, false)
    const model = dollarModel(await token.observe([]))
    for (const [turn, it] of acts.entries()) {
      const orderAt = (at: number): ModelOrder => {
        const found = orders[at]
        if (found === undefined) throw new Error(`There is no order ${at}.`)
        return found
      }
      const [expected, actual] = await perform({ model, token }, it, orderAt)
      const ending = `${it.kind}: ${expected}`
      endings.set(ending, (endings.get(ending) ?? 0) + 1)
      const where = `act ${turn}, ${JSON.stringify(it, (_, value) => (typeof value === 'bigint' ? `${value}` : value))}`
      expect(actual, where).toBe(expected)
      const seen = model.observe()
      expect(await token.observe(seen.orders.map(([at]) => Number(at))), where).toEqual(seen)
    }
  }
  expect([...endings.keys()]).toEqual(expect.arrayContaining(expectedEndings))
})

/** The endings that the stories must reach. */
const expectedEndings = [
  ...['list: success', 'list: ListingNotOwner', 'list: ListingPriceTooHigh'],
  ...['listMany: success', 'listMany: BatchSizeInvalid', 'listMany: ListingPriceTooHigh'],
  ...['payOrder: success', 'payOrder: OrderClosed', 'payOrder: Blocked'],
  ...['deposit: success', 'deposit: Blocked', 'deposit: refused'],
  ...[
    'settle: success',
    'settle: OrderClosed',
    'settle: OrderExpired',
    'settle: OrderPaymentShort',
  ],
  ...['settle: ListingNotForRent', 'settle: ListingPriceChanged'],
  ...['refund: success', 'refund: OrderRefundTooEarly', 'refund: OrderRefundFailed'],
  ...['withdraw: success', 'withdraw: CreditEmpty', 'withdraw: RecipientInvalid'],
]
