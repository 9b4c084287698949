import {
  type Account,
  dollars,
  type Instant,
  instant,
  noPrices,
  type Order,
  wei,
} from '@heirloom/core'
import type { LedgerHarness } from '@heirloom/testkit'
import type { DollarCommand } from './dollar-commands.ts'
import {
  acceptedRoyalty,
  accountOf,
  anyToken,
  type Call,
  idOf,
  indexOf,
  ledgerOf,
  offeredPrice,
  type StoryState,
  walletOf,
} from './resolve-call.ts'

/** The order that was paid last, as each world has it. */
export type LastOrder = { readonly title: string; readonly in: (world: LedgerHarness) => Order }

const nothing = wei(0n)

/** Resolves a command in dollars in the current state. */
export async function dollarCall(state: StoryState, command: DollarCommand): Promise<Call> {
  if (command.verb === 'listInDollars') return listCall(state, command)
  if (command.verb === 'order') return orderCall(state, command)
  const who = await indexOf(state, command.who, undefined)
  const { lastOrder } = state
  if (lastOrder === undefined) {
    return { title: 'wait', who, value: nothing, run: async () => ({}) }
  }
  return { ...payCall(lastOrder, who), title: 'order again' }
}

async function listCall(
  state: StoryState,
  command: Extract<DollarCommand, { verb: 'listInDollars' }>,
): Promise<Call> {
  const id = await idOf(state, command.token, anyToken)
  const who = await indexOf(state, command.who, id)
  const { terms, forkRoyaltyBps, besides } = command
  const run = (world: LedgerHarness) =>
    ledgerOf(world, who).list({
      ...{ tokenId: id, ...noPrices, price: wei(besides), forkRoyaltyBps, dollars: terms },
    })
  return { title: 'list in dollars', who, value: nothing, run }
}

type OrderCommand = Extract<DollarCommand, { verb: 'order' }>

async function orderCall(state: StoryState, command: OrderCommand): Promise<Call> {
  const { act, offer, to, days, flaw } = command
  const id = await idOf(state, command.token, ({ dollars: prices }) => prices !== undefined)
  const who = await indexOf(state, command.who, id)
  const listing = await ledgerOf(state.world, who).listing(id)
  const prices = listing?.dollars ?? { price: 0n, rentalPricePerDay: 0n, forkPrice: 0n }
  const listed = {
    buy: prices.price,
    rent: prices.rentalPricePerDay * BigInt(days),
    fork: prices.forkPrice,
    royalty: BigInt(days),
  }
  const terms = {
    ...{ act, tokenId: id, price: dollars(offeredPrice(listed[act], offer)) },
    days: act === 'rent' ? days : 0,
    maxRoyaltyBps: act === 'fork' ? acceptedRoyalty(listing, command.tolerance) : 0,
  }
  const salt = `0x${(state.orders++).toString(16).padStart(64, '0')}` as const
  const made = new Map<LedgerHarness, Order>()
  const orderIn = (world: LedgerHarness): Order => {
    const order = made.get(world) ?? {
      ...{ ...terms, salt, refundTo: undefined, recipient: accountOf(world, who, guestless(to)) },
      deadline: deadlineIn(world, flaw),
      asset: flaw === 'foreign asset' ? foreignAsset : world.dollar,
    }
    made.set(world, order)
    return order
  }
  state.lastOrder = { title: `order: ${act}`, in: orderIn }
  return payCall(state.lastOrder, who)
}

const guestless = (to: OrderCommand['to']) => (to === 'guest' ? 'payer' : to)

const foreignAsset = `0x${'11'.repeat(20)}` as Account

/** Half an hour away from where waits of hours end. */
const lifetime = 12.5 * 3_600_000

const deadlineIn = (world: LedgerHarness, flaw: OrderCommand['flaw']): Instant => {
  const at = world.now() + (flaw === 'expired' ? -lifetime : lifetime)
  return instant(at - (at % 1000))
}

function payCall({ title, in: orderIn }: LastOrder, who: number): Call {
  const run = async (world: LedgerHarness) => walletOf(world, who).payOrder(orderIn(world))
  return { title, who, value: nothing, run }
}
