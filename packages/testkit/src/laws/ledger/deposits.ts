import { day, dollars, type Order, orderActs } from '@heirloom/core'
import fc from 'fast-check'
import type { LedgerHarness, Party } from '../../harness.ts'
import { forAll, type Law } from '../law.ts'
import { refuses } from '../refuses.ts'
import { assertDone, assertPaid, dollarsOf, inDollars } from './dollars.ts'
import { accountOf, arbitraryCheapPrice, arbitraryParty, mintBy, partiesFrom } from './fixture.ts'
import { orderFor } from './orders.ts'

type Sold = { readonly price: bigint; readonly act: Order['act'] }

/** Lists a token in dollars, and returns an order of it whose payer gets a refund. */
async function orderOf(harness: LedgerHarness, first: number, { price, act }: Sold) {
  const [owner, payer, receiver, sender] = partiesFrom(harness, first)
  const tokenId = await mintBy(owner)
  await owner.ledger.list({ tokenId, ...inDollars(price) })
  const input = { tokenId, act, recipient: accountOf(receiver), amount: price }
  const order = { ...(await orderFor(harness, payer, input)), refundTo: accountOf(payer) }
  return { owner, payer, receiver, sender, tokenId, input, order }
}

/** Lets the money at the address of an order go back, in one of the ways that the contracts allow. */
const refunds: {
  readonly [way: string]: (
    it: Awaited<ReturnType<typeof orderOf>>,
    world: LedgerHarness,
  ) => Promise<Party>
} = {
  'by its payer': async ({ payer }) => payer,
  'once its terms have changed': async ({ owner, tokenId, order, sender }) => {
    await owner.ledger.list({ tokenId, ...inDollars(order.price + 1n) })
    return sender
  },
  'once it is late': async ({ sender }, world) => {
    await world.wait(2 * day)
    return sender
  },
}

/** The laws of orders that are paid at an address of their own. */
export const depositLaws: readonly Law<LedgerHarness>[] = [
  forAll(
    'settles an order with the dollars at its own address, once, and gives the rest back',
    [
      fc.record({ price: arbitraryCheapPrice, act: fc.constantFrom(...orderActs) }),
      fc.bigInt({ min: 0n, max: 9n }),
      arbitraryParty,
    ],
    async (harness, sold, rest, first) => {
      const it = await orderOf(harness, first, sold)
      const { owner, payer, receiver, sender, order } = it
      const before = await dollarsOf(harness)
      await payer.deposits.payIn(order, dollars(sold.price - 1n))
      await refuses('order/short', sender.deposits.settle(order))
      await payer.deposits.payIn(order, dollars(1n + rest))
      const { tokenId = it.tokenId } = await sender.deposits.settle(order)
      await assertDone(harness, receiver, { ...it.input, tokenId })
      const changes = new Map([
        [owner, sold.price],
        [payer, -sold.price],
      ])
      await assertPaid(harness, before, changes)
      await payer.deposits.payIn(order, order.price)
      for (const again of [sender.deposits.settle, payer.payOrder]) {
        await refuses('order/closed', again(order))
      }
      await sender.deposits.refund(order)
      await assertPaid(harness, before, changes)
    },
  ),
  forAll(
    'refunds an order to the account that it names, and to strangers no order that may be carried out',
    [
      arbitraryCheapPrice,
      fc.constantFrom('buy' as const, 'rent' as const, 'fork' as const),
      fc.constantFrom(...Object.keys(refunds)),
    ],
    async (harness, price, act, way) => {
      const it = await orderOf(harness, 0, { price, act })
      const { payer, sender, order } = it
      const before = await dollarsOf(harness)
      await payer.deposits.payIn(order, order.price)
      await refuses('order/refund-too-early', sender.deposits.refund(order))
      const by = (await refunds[way]?.(it, harness)) ?? payer
      await by.deposits.refund(order)
      await assertPaid(harness, before, new Map())
      await refuses('order/closed', payer.payOrder(order))
      await refuses('order/refund-failed', payer.deposits.refund(order))
    },
  ),
]
