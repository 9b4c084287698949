import { actsOn } from './acts.ts'
import { openContractHarness, party } from './contract-harness.ts'
import { type Order, ordersOn } from './orders.ts'

/** The seller, who pays, who gets the token, who sends the transaction, and who gets refunds. */
export const [creator, payer, friend] = [party(1), party(2), party(3)]
export const [relayer, second] = [party(4), party(5)]

/** Contracts, and the two ways in which an order is paid. */
export type PaidOrders = Awaited<ReturnType<typeof openPaidOrders>>

/** Opens contracts on which a payer has dollars. */
export async function openPaidOrders() {
  const harness = await openContractHarness()
  const [acts, orders] = [actsOn(harness), ordersOn(harness)]
  await orders.give(payer.address, 1_000_000n)
  const { mined, marketplace } = harness
  return {
    harness,
    acts,
    orders,
    /** Pays an order by an authorization for it, sent by somebody else. */
    pay: async (order: Order) => {
      const payment = await orders.payment(payer, order)
      return mined(marketplace.write.payOrder(payment, { account: relayer }))
    },
    /** Pays an order to its address, and settles it. */
    settle: async (order: Order) => {
      const authorization = await orders.authorize(payer, order)
      return mined(marketplace.write.settle([order, authorization], { account: relayer }))
    },
  }
}
