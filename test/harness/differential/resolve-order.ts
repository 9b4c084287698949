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
import type { Deposit, DollarCommand } from './dollar-commands.ts'
import {
  acceptedRoyalty,
  accountOf,
  agentOf,
  anyToken,
  type Call,
  idOf,
  indexOf,
  ledgerOf,
  offeredPrice,
  type StoryState,
  walletOf,
  walletsOf,
} from './resolve-call.ts'

/** The order that was made last, as each world has it. */
export type LastOrder = { readonly in: (world: LedgerHarness) => Order }

const nothing = wei(0n)

/** Resolves a command in dollars in the current state. */
export async function dollarCall(state: StoryState, command: DollarCommand): Promise<Call> {
  if (command.verb === 'listInDollars') return listCall(state, command)
  if (command.verb === 'order') return orderCall(state, command)
  const { lastOrder } = state
  if (lastOrder === undefined) {
    return { title: 'wait', who: 0, value: nothing, run: async () => ({}) }
  }
  const who = await actorOf(state, command, lastOrder)
  const of = (world: LedgerHarness) => [walletOf(world, who), lastOrder.in(world)] as const
  const acts: Readonly<Record<typeof command.verb, Call['run']>> = {
    'order again': async (world) => {
      const [wallet, order] = of(world)
      return wallet.payOrder(order)
    },
    settle: async (world) => {
      const [{ deposits }, order] = of(world)
      return deposits.settle(order)
    },
    refund: async (world) => {
      const [{ deposits }, order] = of(world)
      return deposits.refund(order)
    },
  }
  return { title: command.verb, who, value: nothing, run: acts[command.verb] }
}

type LaterCommand = Exclude<DollarCommand, { verb: 'order' | 'listInDollars' }>

/** Returns the index of the wallet that acts; the first party stands for a refundee that is no wallet. */
async function actorOf(
  state: StoryState,
  { who }: LaterCommand,
  lastOrder: LastOrder,
): Promise<number> {
  if (who !== 'refundee') return indexOf(state, who, undefined)
  const { refundTo, recipient } = lastOrder.in(state.world)
  const all = walletsOf(state.world).map(({ ledger }) => ledger.agent)
  return Math.max(0, all.indexOf(refundTo ?? recipient))
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
      tokenId: id,
      ...noPrices,
      price: wei(besides),
      forkRoyaltyBps,
      dollars: terms,
    })
  return { title: 'list in dollars', who, value: nothing, run }
}

type OrderCommand = Extract<DollarCommand, { verb: 'order' }>

async function orderCall(state: StoryState, command: OrderCommand): Promise<Call> {
  const { act, offer, to, days, flaw, deposit, refundTo } = command
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
    act,
    tokenId: id,
    price: dollars(offeredPrice(listed[act], offer)),
    days: act === 'rent' ? days : 0,
    maxRoyaltyBps: act === 'fork' ? acceptedRoyalty(listing, command.tolerance) : 0,
  }
  const salt = `0x${(state.orders++).toString(16).padStart(64, '0')}` as const
  const made = new Map<LedgerHarness, Order>()
  const orderIn = (world: LedgerHarness): Order => {
    const order = made.get(world) ?? {
      ...terms,
      salt,
      recipient: accountOf(world, who, guestless(to)),
      refundTo: refundTo === undefined ? undefined : agentOf(world, refundTo),
      deadline: deadlineIn(world, flaw),
      asset: flaw === 'foreign asset' ? foreignAsset : world.dollar,
    }
    made.set(world, order)
    return order
  }
  state.lastOrder = { in: orderIn }
  const amount = dollars(deposit === undefined ? 0n : depositsOf(terms.price)[deposit])
  const run = async (world: LedgerHarness) => {
    const { payOrder, deposits } = walletOf(world, who)
    const order = orderIn(world)
    return deposit === undefined ? payOrder(order) : deposits.payIn(order, amount)
  }
  const title = deposit === undefined ? `order: ${act}` : 'deposit'
  return { title, who, value: nothing, run }
}

const depositsOf = (price: bigint): Readonly<Record<Deposit, bigint>> => ({
  part: price / 2n,
  whole: price,
  more: price + 7n,
})

const guestless = (to: OrderCommand['to']) => (to === 'guest' ? 'payer' : to)

const foreignAsset = `0x${'11'.repeat(20)}` as Account

/** Half an hour away from where waits of hours end. */
const lifetime = 12.5 * 3_600_000

const deadlineIn = (world: LedgerHarness, flaw: OrderCommand['flaw']): Instant => {
  const at = world.now() + (flaw === 'expired' ? -lifetime : lifetime)
  return instant(at - (at % 1000))
}
