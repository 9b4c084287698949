import { dollars, type Order } from '@heirloom/core'
import fc, { type Arbitrary } from 'fast-check'
import type { Party, ServiceHarness } from '../../harness.ts'
import { isShort, type Model, type ModelToken, pay, tokenOf, type Who } from '../model.ts'
import { arbitraryWho } from '../picks.ts'
import { agree, type Drawn, firstOf, partyOf, type Recipient, receiverOf, step } from '../step.ts'
import {
  apply,
  type OrderInput,
  orderedToken,
  orderOf,
  orderParts,
  reasonsAgainst,
} from './order.ts'
import { avoidUncertainty } from './rent.ts'

/** The part of its price that an order gets at its address. */
const parts = {
  less: (price: bigint) => price / 2n,
  exact: (price: bigint) => price,
  more: (price: bigint) => price + 7n,
} as const

/** The zero address more often than elsewhere: an order for it fits its listing, and fails late. */
const arbitraryReceiver: Arbitrary<Recipient> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: arbitraryWho },
  { weight: 2, arbitrary: fc.constant('nobody' as const) },
)

/** An order that is paid at its own address. */
export const depositParts = {
  ...orderParts,
  recipient: arbitraryReceiver,
  part: fc.constantFrom<(keyof typeof parts)[]>('less', 'exact', 'exact', 'more'),
  next: fc.constantFrom('settle' as const, 'settle', 'settle', 'refund'),
}

/**
 * Pays an order at its own address, and has it carried out or refunded by a stranger. What is there at the
 * end goes back to the payer.
 */
export const depositCommand = fc.record(depositParts).map((input) =>
  step(`deposit ${Object.values(input).map(String).join(' ')}`, async (model, harness) => {
    const { pick, ...rest } = input
    return runDeposit(model, harness, { ...rest, tokenId: orderedToken(model, input.act, pick) })
  }),
)

/** An order, the part of its price that is paid in, and what follows. */
export type DepositInput = OrderInput & Pick<Drawn<typeof depositParts>, 'part' | 'next'>

/** Pays an order at its address in the model and the harness, and returns the token that it changed. */
export async function runDeposit(
  model: Model,
  harness: ServiceHarness,
  { part, next, ...input }: DepositInput,
): Promise<ModelToken | undefined> {
  const deposit = await payIn(model, harness, input, parts[part])
  if (deposit === undefined) return tokenOf(model, input.tokenId)
  return next === 'settle' ? settleOrder(deposit) : refundByStranger(deposit)
}

/** An order with dollars at its address. */
type Deposit = OrderInput & {
  readonly model: Model
  readonly harness: ServiceHarness
  readonly token: ModelToken | undefined
  readonly order: Order
  readonly amount: bigint
  /** The party that sends what comes next, which is neither the payer nor asked for. */
  readonly stranger: Party
}

async function payIn(
  model: Model,
  harness: ServiceHarness,
  input: OrderInput,
  part: (price: bigint) => bigint,
): Promise<Deposit | undefined> {
  const { who, act, tokenId, recipient, days } = input
  const token = tokenOf(model, tokenId)
  const guest = receiverOf(recipient, who)
  if (act === 'rent') await avoidUncertainty(model, harness, token?.rentals.get(guest), days)
  const payer = partyOf(harness, who)
  const order = { ...orderOf(harness, token, input), refundTo: payer.ledger.agent }
  const amount = part(order.price)
  const predicted = firstOf([isShort(inDollars(model), who, amount), 'order/short'])
  const paid = payer.deposits.payIn(order, dollars(amount))
  if ((await agree(model, 'pay in', predicted, paid)) === undefined) return undefined
  pay(inDollars(model), who, -amount)
  const stranger = partyOf(harness, ((who + 1) % 4) as Who)
  return { ...input, model, harness, token, order, amount, stranger }
}

const inDollars = ({ dollars: balances }: Model) => ({ balances })

/** Carries an order out, as anybody may. */
async function settleOrder(deposit: Deposit): Promise<ModelToken | undefined> {
  const { model, harness, token, order, amount, flaw, who, act, stranger } = deposit
  const predicted = firstOf(
    [flaw === 'late', 'order/expired'],
    [amount < order.price, 'order/short'],
    ...reasonsAgainst(harness, token, deposit),
  )
  const settled = stranger.deposits.settle(order)
  const paid = await agree(model, `settle to ${act}`, predicted, settled)
  if (paid === undefined || token === undefined) return refund(deposit)
  // The whole of it was the payer's, who gets back what the price leaves.
  pay(inDollars(model), who, amount)
  const changed = await apply(model, harness, { ...deposit, token, order, paid })
  await agree(model, 'settle again', 'order/closed', stranger.deposits.settle(order))
  return changed
}

/** Asks for a refund as a stranger, who gets none of an order that may be carried out. */
async function refundByStranger(deposit: Deposit): Promise<ModelToken | undefined> {
  const { model, harness, token, order, amount, flaw, who, stranger } = deposit
  const fits = firstOf(...reasonsAgainst(harness, token, deposit)) === undefined
  const isEarly = flaw !== 'late' && (amount < order.price || (order.price > 0n && fits))
  const predicted = firstOf(
    [isEarly, 'order/refund-too-early'],
    [amount === 0n, 'order/refund-failed'],
  )
  const call = stranger.deposits.refund(order)
  const refunded = await agree(model, 'refund by a stranger', predicted, call)
  if (refunded === undefined) return refund(deposit)
  pay(inDollars(model), who, amount)
  return token
}

async function refund({ model, harness, token, order, amount, who }: Deposit) {
  await agree(model, 'refund', undefined, partyOf(harness, who).deposits.refund(order))
  pay(inDollars(model), who, amount)
  return token
}
