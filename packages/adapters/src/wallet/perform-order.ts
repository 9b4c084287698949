import { account, dollars, Failure } from '@heirloom/core'
import { dollarBalanceOf, findOrder, isOrderSettled, noDeadline } from '../ledger/acts/index.ts'
import { type ChainHead, deadlineAfter, readHead } from './open-chain.ts'
import { isInvalid, type OpenOrder, type OrderAct, type OrderGift } from './open-orders.ts'
import { endOrder, isUndecided, type PerformOptions, performCall } from './perform.ts'
import type { Performed, Performer } from './performer.ts'
import { numberOrder, signPayment } from './sign-order.ts'
import type { Reservation } from './spend-limits.ts'
import { abortedError } from './wallet-error.ts'

/**
 * Performs an act in dollars: signs an order and its payment, and sends them or lets a server do so. An
 * order of the same act that left the wallet before, and whose end nobody was told, is used again.
 *
 * @throws `dollar/missing`, `dollar/refused`, and the failures of `performCall`
 */
export async function performOrder(
  performer: Performer,
  act: OrderAct,
  options: PerformOptions,
): Promise<Performed> {
  const head = await forgetExpired(performer)
  const open = performer.orders.find(act)
  if (open === undefined) return payAnew(performer, { act, head }, options)
  const performed = await findPerformed(performer, open)
  if (performed !== undefined) return performed
  try {
    return await payOpen(performer, open, options)
  } catch (error) {
    if (isUndecided(error)) throw error
    // Only the wallet's own node tells: a server that says so may still have the order carried out.
    const now = await readHead(performer.chain)
    if (!isInvalid(open, now.time)) throw error
    performer.orders.end(open, 'expired')
    return payAnew(performer, { act, head: now }, options)
  }
}

/**
 * Returns the effects of an act whose order was carried out and whose end nobody was told; `undefined` if
 * there is none.
 *
 * @throws `ledger/unavailable`
 */
export async function recallOrder(
  performer: Performer,
  gift: OrderGift,
): Promise<Performed | undefined> {
  const { time } = await forgetExpired(performer)
  for (const order of performer.orders.findGifts(gift)) {
    const performed = await findPerformed(performer, order)
    const isOver = (performed?.expiresAt ?? BigInt(time) + 1n) <= BigInt(time)
    if (performed !== undefined && !isOver) return performed
  }
  return undefined
}

/** Returns the effects of an order if it was carried out, and ends it. */
export async function findPerformed(
  performer: Performer,
  order: OpenOrder,
): Promise<Performed | undefined> {
  const receipt = await findOrder(performer.chain.client, performer.chain.pair, order)
  return receipt && endOrder(performer, order, receipt)
}

/** Ends the orders that cannot be paid any more, and counts those that were carried out before. */
async function forgetExpired({ chain, orders }: Performer): Promise<ChainHead> {
  const head = await readHead(chain)
  for (const order of orders.expired(head.time)) {
    const isSettled = await isOrderSettled(chain.client, chain.pair, order.hash)
    orders.end(order, isSettled ? 'late' : 'expired')
  }
  orders.forgetLate(head.time)
  return head
}

type NewOrder = { readonly act: OrderAct; readonly head: ChainHead }

async function payAnew(
  performer: Performer,
  { act, head }: NewOrder,
  options: PerformOptions,
): Promise<Performed> {
  const { spending, sender, chain, orders } = performer
  const reservation = spending.dollar.reserve(act.price)
  let isOpen = false
  try {
    await requireDollars(performer, act)
    if (options.signal?.aborted) throw abortedError(options.signal.reason)
    const order = await signOrder({ sender, chain, now: performer.now }, { act, head, reservation })
    const open = () => {
      if (!orders.add(order)) throw otherPrice(act, orders.find(act))
      isOpen = true
    }
    const onSent: PerformOptions['onSent'] = (sent) => {
      open()
      options.onSent?.(sent)
    }
    // A wallet that sends by itself may send the order and lose its answer.
    return await payOpen(performer, order, { ...options, onRequest: open, onSent })
  } catch (error) {
    if (!isOpen) reservation.settle(0n)
    throw error
  }
}

/** Another process of the wallet has signed the same at another price, and both would be carried out. */
const otherPrice = ({ tokenId, price }: OrderAct, other: OpenOrder | undefined) =>
  new Failure('listing/price-changed', {
    tokenId,
    price,
    offered: other?.act.price ?? price,
    currency: 'dollar',
  })

async function payOpen(
  performer: Performer,
  order: OpenOrder,
  options: PerformOptions,
): Promise<Performed> {
  try {
    const act = { kind: 'payOrder', ...order.payment } as const
    return await performCall(performer, { act, order }, options)
  } catch (error) {
    // Another process of the wallet may have had the same order carried out meanwhile.
    const performed = isUndecided(error) ? undefined : await findPerformed(performer, order)
    if (performed === undefined) throw error
    return performed
  }
}

async function requireDollars({ chain, sender }: Performer, { price }: OrderAct): Promise<void> {
  const { client, pair } = chain
  if (pair.dollar === undefined) throw new Failure('dollar/missing', {})
  const of = account(sender.address)
  const balance = await dollarBalanceOf(client, pair.dollar, of)
  if (balance >= price) return
  const currency = 'dollar'
  throw new Failure('wallet/short', { account: of, balance, needed: dollars(price), currency })
}

type Signing = NewOrder & { readonly reservation: Reservation }

async function signOrder(
  { sender, chain, now }: Pick<Performer, 'sender' | 'chain' | 'now'>,
  { act, head, reservation }: Signing,
): Promise<OpenOrder> {
  const dollar = await chain.dollar()
  const { kind, ...terms } = act
  const refundTo = account(sender.address)
  const alike = { ...terms, asset: account(dollar.address), refundTo, deadline: noDeadline }
  const order = await numberOrder(chain, alike)
  if (order === undefined) throw new Failure('ledger/unavailable', { operation: 'stateOf' })
  const deadline = deadlineAfter(chain, { ...head, now: now() })
  const signed = await signPayment(sender, { order, dollar, deadline }, chain)
  return { ...signed, since: head.height, act, reservation }
}
