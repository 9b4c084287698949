import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DollarRelay, openDollarRelay } from '../harness/chain/dollar-relay.ts'
import { type DollarToken, openDollarToken } from '../harness/differential/dollar-chain.ts'
import {
  accountNames,
  type DollarModel,
  dollarModel,
  type ModelOrder,
  type Result,
} from '../harness/differential/dollar-model.ts'
import { type Act, dollarStory } from '../harness/differential/dollar-story.ts'
import { times } from '../tier.ts'

/** `DOLLAR_STORIES` sets the number of stories, and `FC_SEED` selects other random ones. */
const stories = Number(process.env.DOLLAR_STORIES ?? times(5, 15))
const seed = Number(process.env.FC_SEED ?? 192)

let chain: DollarRelay
beforeAll(async () => {
  chain = await openDollarRelay()
})
afterAll(() => chain.close())

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
  for (const { orders, acts } of fc.sample(dollarStory, { numRuns: stories, seed })) {
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
