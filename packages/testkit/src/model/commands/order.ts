import assert from 'node:assert/strict'
import { dollars, type FailureCode, instant, nobody, type Order, orderActs } from '@heirloom/core'
import fc from 'fast-check'
import type { PaidOrder, ServiceHarness } from '../../harness.ts'
import { orderWith } from '../../laws/ledger/orders.ts'
import {
  canBeForked,
  claimsOfFork,
  handOver,
  idOf,
  isShort,
  type Model,
  type ModelToken,
  offerOf,
  type Pick,
  pay,
  settle,
  tokenOf,
  totalOf,
  type Who,
} from '../model.ts'
import { arbitraryPick, arbitraryRecipient, arbitraryWho } from '../picks.ts'
import { agree, type Drawn, drift, firstOf, partyOf, receiverOf, step } from '../step.ts'
import { recordFork } from './fork.ts'
import { avoidUncertainty, endOf, farthest } from './rent.ts'

/** An order in dollars for any recipient. */
export const orderParts = {
  /** The payer, who is the recipient when there is no other. */
  who: arbitraryWho,
  act: fc.constantFrom(...orderActs),
  pick: arbitraryPick,
  recipient: arbitraryRecipient,
  days: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 60 }) },
    { weight: 2, arbitrary: fc.constant(365) },
    { weight: 2, arbitrary: fc.constantFrom(0, 366) },
  ),
  /** The difference between the order and its listing. */
  flaw: fc.oneof(
    { weight: 8, arbitrary: fc.constant('none' as const) },
    { weight: 4, arbitrary: fc.constantFrom('late' as const, 'dear', 'dear', 'unlicensed') },
  ),
  /** The amount of a royalty. */
  amount: fc.constantFrom<bigint[]>(0n, 1n, 12_345n),
}

type Input = Drawn<typeof orderParts>

/** Pays an order in dollars for any recipient. */
export const orderCommand = fc
  .record(orderParts)
  .map((input) => step(titleOf(input), (model, harness) => run(model, harness, input)))

const titleOf = (input: Input) => `order ${Object.values(input).map(String).join(' ')}`

const wayOf = { buy: 'price', rent: 'rentalPricePerDay', fork: 'forkPrice' } as const

function isOfferedInDollars(token: ModelToken, act: keyof typeof wayOf): boolean {
  const { amount, isInDollars } = offerOf(token, wayOf[act])
  return isInDollars && amount > 0n
}

function run(model: Model, harness: ServiceHarness, { pick, ...input }: Input) {
  return runOrder(model, harness, { ...input, tokenId: orderedToken(model, input.act, pick) })
}

/** Returns the token of an order, mostly one that is offered so. */
export function orderedToken(model: Model, act: Order['act'], pick: Pick): Order['tokenId'] {
  return idOf(model, pick, (it) => act === 'royalty' || isOfferedInDollars(it, act))
}

/** Pays an order in the model and the harness, and returns the token that it changed. */
export async function runOrder(model: Model, harness: ServiceHarness, input: OrderInput) {
  const { who, act, tokenId, recipient, days } = input
  const token = tokenOf(model, tokenId)
  const guest = receiverOf(recipient, who)
  if (act === 'rent') await avoidUncertainty(model, harness, token?.rentals.get(guest), days)
  const order = orderOf(harness, token, input)
  const predicted = firstOf(
    [isShort({ balances: model.dollars }, who, order.price), 'order/short'],
    [input.flaw === 'late', 'order/expired'],
    ...reasonsAgainst(harness, token, { ...input, order }),
  )
  const payment = partyOf(harness, who).payOrder(order)
  const paid = await agree(model, `order to ${act}`, predicted, payment)
  return paid && token ? apply(model, harness, { ...input, token, order, paid }) : token
}

/** An order to make, and its difference from the listing. */
export type OrderInput = Omit<Input, 'pick'> & { readonly tokenId: Order['tokenId'] }

/** Returns an order on the terms of its token, but for its flaw. */
export function orderOf(
  harness: ServiceHarness,
  token: ModelToken | undefined,
  { act, who, recipient, days, flaw, amount, tokenId }: OrderInput,
): Order {
  const length = act === 'rent' ? days : 0
  const offered = act === 'royalty' ? amount : offerOf(token, wayOf[act]).amount
  const price = offered * BigInt(act === 'rent' ? days : 1)
  const accepted = flaw === 'unlicensed' ? Math.max(0, totalOn(token) - 1) : totalOn(token)
  const terms = {
    act,
    price: dollars(flaw === 'dear' ? price + 1n : price),
    days: length,
    maxRoyaltyBps: act === 'fork' ? accepted : 0,
  }
  const receiver = recipient === 'nobody' ? nobody : accountAt(harness, receiverOf(recipient, who))
  const order = orderWith(harness, terms, { tokenId, recipient: receiver })
  return flaw === 'late' ? { ...order, deadline: instant(harness.now() - 2 * drift) } : order
}

/** Returns the total royalty that a fork of a token would owe. */
const totalOn = (token: ModelToken | undefined): number =>
  token === undefined ? 0 : totalOf(claimsOfFork(token))

const accountAt = (harness: ServiceHarness, who: Who) => partyOf(harness, who).ledger.agent

type Reason = readonly [boolean, FailureCode]

/** Returns the reasons why the contracts may refuse an order, in their order. */
export function reasonsAgainst(
  harness: ServiceHarness,
  token: ModelToken | undefined,
  { act, who, recipient, days, order }: OrderInput & { readonly order: Order },
): readonly Reason[] {
  const unknown = [token === undefined, 'token/not-found'] as const
  if (act === 'royalty') return [[order.price === 0n, 'royalty/zero'], unknown]
  const { amount, isInDollars } = offerOf(token, wayOf[act])
  const price = amount * BigInt(act === 'rent' ? days : 1)
  const isForNobody = [recipient === 'nobody', 'recipient/invalid'] as const
  const unfit: readonly Reason[] = [
    unknown,
    [amount === 0n, notOffered[act]],
    [!isInDollars, 'listing/currency-changed'],
    [order.price !== price, 'listing/price-changed'],
  ]
  if (act === 'buy') return [...unfit, isForNobody]
  if (act === 'fork') {
    return [
      ...unfit,
      [order.maxRoyaltyBps < totalOn(token), 'listing/royalty-changed'],
      isForNobody,
      [token !== undefined && !canBeForked(token), 'lineage/too-deep'],
    ]
  }
  const end = endOf(harness, token?.rentals.get(receiverOf(recipient, who)), days)
  return [
    [days < 1 || days > 365, 'rental/bad-duration'],
    isForNobody,
    ...unfit,
    [end > harness.now() + farthest + drift, 'rental/too-long'],
  ]
}

const notOffered = {
  buy: 'listing/not-for-sale',
  rent: 'listing/not-for-rent',
  fork: 'listing/not-for-fork',
} as const

/** An order that was carried out. */
export type Carried = OrderInput & {
  readonly token: ModelToken
  readonly order: Order
  readonly paid: PaidOrder
}

/** Changes the model as an order did, and returns the token that it changed. */
export async function apply(
  model: Model,
  harness: ServiceHarness,
  { act, who, recipient, days, token, order, paid }: Carried,
): Promise<ModelToken> {
  const inDollars = { balances: model.dollars }
  const receiver = receiverOf(recipient, who)
  if (act === 'royalty') {
    pay(inDollars, who, -order.price)
    pay(inDollars, token.creator, order.price)
    return token
  }
  settle(inDollars, who, token, order.price)
  if (act === 'buy') handOver(token, receiver)
  if (act === 'rent') {
    const access = await partyOf(harness, receiver).ledger.access(token.id, order.recipient)
    const end = endOf(harness, token.rentals.get(receiver), days)
    assert.ok(access?.expiresAt, 'an order to rent gives access')
    assert.ok(Math.abs(access.expiresAt - end) <= drift, 'a rental lasts as long as paid for')
    token.rentals.set(receiver, access.expiresAt)
  }
  if (act !== 'fork') return token
  const { document, sealedFor } = token
  const origin = { creator: receiver, owner: receiver, document, sealedFor }
  assert.ok(paid.tokenId, 'an order to fork makes a token')
  return recordFork(model, harness, { tokenId: paid.tokenId }, token, origin)
}
