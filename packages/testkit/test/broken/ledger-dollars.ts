import { dollars, noPrices, wei } from '@heirloom/core'
import { memoryHarness } from '../../src/fakes/harness.ts'
import type { DepositActs, LedgerHarness, Party } from '../../src/harness.ts'
import { type Broken, falseReceipt, faultyHarness, recoverFrom } from './faulty-harness.ts'

/** Returns a function that opens a harness in which all parties pay orders with the same fault. */
const faultyOrders = (fault: (party: Party) => Party['payOrder']) => async () => {
  const harness = memoryHarness()
  const faulty = (party: Party) => ({ ...party, payOrder: fault(party) })
  return { ...harness, parties: harness.parties.map(faulty) }
}

/** Returns a function that opens a harness in which all parties have the same fault with deposits. */
const faultyDeposits = (fault: (inner: DepositActs) => Partial<DepositActs>) => async () => {
  const harness = memoryHarness()
  const faulty = (party: Party) => ({
    ...party,
    deposits: { ...party.deposits, ...fault(party.deposits) },
  })
  return { ...harness, parties: harness.parties.map(faulty) }
}

/** A harness with broken ledgers for each law of dollars. */
export const brokenDollars: readonly Broken<LedgerHarness>[] = [
  {
    law: 'returns a listing in dollars as it was made, with prices of zero in wei',
    fault: 'returns prices in dollars as prices in wei too',
    open: faultyHarness(() => (inner) => ({
      listing: async (id) => {
        const listing = await inner.listing(id)
        return listing && { ...listing, price: wei(listing.dollars?.price ?? listing.price) }
      },
    })),
  },
  {
    law: 'refuses a listing in two currencies with `listing/two-currencies`',
    fault: 'ignores the prices in wei beside those in dollars',
    open: faultyHarness(() => (inner) => ({
      list: (offer) => inner.list(offer.dollars ? { ...offer, ...noPrices } : offer),
    })),
  },
  {
    law: 'refuses wei for a token that is listed in dollars with `listing/currency-changed`',
    fault: 'takes wei for dollars',
    open: faultyHarness(() => (inner) => ({
      buy: (sale) => recoverFrom('listing/currency-changed', inner.buy(sale), () => falseReceipt),
    })),
  },
  {
    law: 'carries out a paid order in dollars for its recipient and moves no wei',
    fault: 'takes a wei from the payer of an order',
    open: faultyOrders(({ ledger, payOrder }) => async (order) => {
      const paid = await payOrder(order)
      await ledger.payRoyalty({ tokenId: order.tokenId, amount: wei(1n) })
      return paid
    }),
  },
  {
    law: 'splits a price in dollars among the claims on the token',
    fault: 'pays the creator of a fork once more',
    open: faultyOrders(({ ledger, payOrder }) => async (order) => {
      const record = await ledger.provenance(order.tokenId)
      if (record?.parent !== undefined) {
        await payOrder({ ...order, act: 'royalty', price: dollars(1n) })
      }
      return payOrder(order)
    }),
  },
  {
    law: 'settles an order with the dollars at its own address, once, and gives the rest back',
    fault: 'settles an order twice',
    open: faultyDeposits(({ settle }) => ({
      settle: (order) => recoverFrom('order/closed', settle(order), () => falseReceipt),
    })),
  },
  {
    law: 'refunds an order to the account that it names, and to strangers no order that may be carried out',
    fault: 'reports an early refund as a success',
    open: faultyDeposits(({ refund }) => ({
      refund: (order) => recoverFrom('order/refund-too-early', refund(order), () => falseReceipt),
    })),
  },
]
