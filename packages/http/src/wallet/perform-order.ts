import {
  dollarBalanceOf,
  encodeOrder,
  findOrder,
  isOrderSettled,
  orderHash,
  paymentAuthorization,
} from '@heirloom/adapters/internal/acts'
import { account, dollars, Failure, fromSeconds, isFailure, type Order } from '@heirloom/core'
import { bytesToHex, type Hex } from 'viem'
import { abortedError } from '../client/transport/retries.ts'
import { type ChainHead, deadlineAfter, readHead } from './chain-time.ts'
import { endOrder } from './confirm-order.ts'
import type { OpenOrder, OrderAct } from './open-orders.ts'
import { type Performed, type Performer, type PerformOptions, performCall } from './perform.ts'
import type { Reservation } from './spend-limits.ts'

/**
 * Performs an act in dollars: signs an order and its payment, and sends them or lets a server do so. An
 * order of the same act that left the wallet before, and may still be carried out, is used again.
 *
 * @throws `dollar/missing`, `dollar/refused`, and the failures of `performCall`
 */
export async function performOrder(
  performer: Performer,
  act: OrderAct,
  options: PerformOptions,
): Promise<Performed> {
  const head = await readHead(performer.chain)
  for (const expired of performer.orders.expired(head.time)) await forget(performer, expired)
  const open = performer.orders.find(act)
  if (open === undefined) return payAnew(performer, { act, head }, options)
  const receipt = await findOrder(performer.chain.client, performer.chain.pair, open)
  if (receipt !== undefined) return endOrder(performer, open, receipt)
  try {
    return await payOpen(performer, open, options)
  } catch (error) {
    // Only the wallet's own node tells: a server that says so may still have the order carried out.
    if (!isFailure(error, 'order/expired')) throw error
    performer.orders.end(open, 'expired')
    return payAnew(performer, { act, head: await readHead(performer.chain) }, options)
  }
}

/** Forgets an order whose deadline has passed, and counts it if it was carried out before. */
async function forget({ chain, orders }: Performer, order: OpenOrder): Promise<void> {
  const isSettled = await isOrderSettled(chain.client, chain.pair, order.hash)
  orders.end(order, isSettled ? 'settled' : 'expired')
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
    return await payOpen(performer, order, {
      ...options,
      onSent: (sent) => {
        isOpen = true
        orders.add(order)
        options.onSent?.(sent)
      },
    })
  } catch (error) {
    if (!isOpen) reservation.settle(0n)
    throw error
  }
}

const payOpen = (performer: Performer, order: OpenOrder, options: PerformOptions) =>
  performCall(performer, { act: { kind: 'payOrder', ...order.payment }, order }, options)

async function requireDollars({ chain, sender }: Performer, { price }: OrderAct): Promise<void> {
  const { client, pair } = chain
  if (pair.dollar === undefined) throw new Failure('dollar/missing', {})
  const of = account(sender.address)
  const balance = await dollarBalanceOf(client, pair.dollar, of)
  if (balance >= price) return
  const currency = 'dollar'
  throw new Failure('wallet/short', { account: of, balance, needed: dollars(price), currency })
}

async function signOrder(
  { sender, chain, now }: Pick<Performer, 'sender' | 'chain' | 'now'>,
  { act, head, reservation }: NewOrder & { readonly reservation: Reservation },
): Promise<OpenOrder> {
  const dollar = await chain.dollar()
  const { pair, chainId } = chain
  const { marketplace } = pair
  const payer = account(sender.address)
  const deadline = deadlineAfter(head, now())
  const { kind, ...terms } = act
  const order: Order = {
    ...{ ...terms, asset: account(dollar.address), refundTo: payer },
    ...{ deadline: fromSeconds(deadline), salt: randomSalt() },
  }
  const hash = orderHash(order, { chainId, marketplace })
  // The authorization is valid before this second, and so in the last one of the order.
  const validBefore = BigInt(deadline + 1)
  const paid = { dollar, marketplace, payer, orderHash: hash, price: act.price, validBefore }
  const signature = await sender.signTypedData(paymentAuthorization(paid))
  const payment = { order: encodeOrder(order), payer, validAfter: 0n, validBefore, signature }
  return { hash, since: head.height, act, payment, reservation }
}

const randomSalt = (): Hex => bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
