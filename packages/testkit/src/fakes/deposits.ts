import {
  type Account,
  account,
  dollars,
  Failure,
  type Hash,
  isFailure,
  nobody,
  type Order,
} from '@heirloom/core'
import { keccak256, slice } from 'viem'
import type { DepositActs, OrderRecord } from '../harness.ts'
import {
  type ChainState,
  checksummed,
  dollarsOf,
  memoryDollar,
  payDollars,
  recordBlock,
  requireGas,
} from './chain-state.ts'
import {
  carryOut,
  hashOf,
  isLate,
  type Purchase,
  requireDollars,
  requireOpen,
  tryOut,
} from './orders.ts'

/**
 * Returns the acts of a wallet for orders that are paid at an address of their own, each checked in the
 * order of the contracts.
 */
export function depositActs(state: ChainState, agent: Account): DepositActs {
  return {
    payIn: async (order, amount) => {
      const { orderHash, payer: deposit } = purchaseOf(order)
      const paid = dollarsOf(state, agent)
      if (paid < amount) throw new Failure('order/short', { orderHash, price: amount, paid })
      requireGas(state, agent)
      payDollars(state, agent, deposit, amount)
      return recordBlock(state, [])
    },
    settle: async (order) => {
      const purchase = purchaseOf(order)
      requireOpen(state, purchase)
      requireDollars(state, purchase)
      tryOut(state, purchase)
      requireGas(state, agent)
      const paid = carryOut(state, purchase)
      giveBack(state, purchase)
      return paid
    },
    refund: async (order) => refund(state, agent, purchaseOf(order)),
  }
}

/** Returns the state of an order, and the dollars at its address. */
export function recordOf(state: ChainState, order: Order): OrderRecord {
  const { orderHash, payer: deposit } = purchaseOf(order)
  return {
    state: state.closedOrders.get(orderHash) ?? 'open',
    balance: dollarsOf(state, deposit),
  }
}

/** The hashes that were made before: a watcher of an order reads its record after every act. */
const purchases = new WeakMap<Order, Purchase>()

/** Returns an order that its own address pays. */
function purchaseOf(order: Order): Purchase {
  const known = purchases.get(order)
  if (known !== undefined) return known
  const orderHash = hashOf(order)
  const purchase = { order, orderHash, payer: depositOf(orderHash) }
  purchases.set(order, purchase)
  return purchase
}

/** Returns the address of an order, which is made up. */
const depositOf = (orderHash: Hash): Account =>
  checksummed(account(slice(keccak256(orderHash), 0, 20)))

const refundeeOf = ({ refundTo, recipient }: Order) => checksummed(refundTo ?? recipient)

function refund(state: ChainState, agent: Account, purchase: Purchase) {
  const { order, orderHash, payer: deposit } = purchase
  const { state: stage, balance: amount } = recordOf(state, order)
  const refundTo = refundeeOf(order)
  const isOwnRefund = agent === refundTo
  const isOpen = stage === 'open'
  if (isOpen && !isOwnRefund && isTooEarly(state, purchase)) {
    throw new Failure('order/refund-too-early', { orderHash, refundTo, account: agent })
  }
  // Who is to get the refund may close an order before anything was paid.
  const isEmpty = amount === 0n && !(isOpen && isOwnRefund)
  if (isEmpty || (amount > 0n && refundTo === nobody)) {
    throw new Failure('order/refund-failed', { orderHash, asset: memoryDollar, amount })
  }
  requireGas(state, agent)
  if (isOpen) state.closedOrders.set(orderHash, 'refunded')
  payDollars(state, deposit, refundTo, amount)
  return recordBlock(state, [])
}

/** Returns whether a stranger may not refund yet: what is there is dust, or may be used for the act. */
function isTooEarly(state: ChainState, purchase: Purchase): boolean {
  const { order, payer: deposit } = purchase
  if (isLate(state, order)) return false
  return dollarsOf(state, deposit) < order.price || fits(state, purchase)
}

function fits(state: ChainState, purchase: Purchase): boolean {
  if (purchase.order.price === 0n) return false
  try {
    requireOpen(state, purchase)
    tryOut(state, purchase)
    return true
  } catch (error) {
    if (!isFailure(error)) throw error
    return false
  }
}

/** Sends what is left at the address of an order to its refundee. */
function giveBack(state: ChainState, { order, payer: deposit }: Purchase): void {
  const rest = dollarsOf(state, deposit)
  if (refundeeOf(order) !== nobody) payDollars(state, deposit, refundeeOf(order), dollars(rest))
}
