/** The accounts of a story: the creator of the parent, the owner of the token, and a payer. */
export const accountNames = ['creator', 'owner', 'payer'] as const
export type Name = (typeof accountNames)[number]

/** The act of an order: a day of the token for the payer, or a royalty for the creator of the token. */
export type Kind = 'rent' | 'royalty'

/** An order of a story. */
export type ModelOrder = {
  readonly kind: Kind
  readonly price: bigint
  readonly refundTo: Name
  readonly isLate: boolean
}

type State = 'open' | 'settled' | 'refunded'

/** The prices that a token is listed at, in dollars or in native money; 0 for no offer. */
type Terms = { readonly perDay: bigint; readonly inDollars: boolean }

const highest = 2n ** 80n - 1n
const claimBps = 1000n

/** An amount for each account. */
type Amounts = readonly bigint[]

/** The outcome of an act: the error of the contracts, or that it succeeded. */
export type Result = string

type World = {
  readonly held: Map<Name, bigint>
  readonly credit: Map<Name, bigint>
  readonly blocked: Set<Name>
  readonly deposits: Map<number, bigint>
  readonly states: Map<number, State>
  terms: Terms
  /** The days of the payer's rental. */
  days: number
}

/**
 * The contracts' part in dollars as a model: orders, their deposits, credits and refunds, with a
 * dollar that refuses accounts. An act that fails changes nothing.
 */
export function dollarModel(start: { readonly held: Amounts; readonly credit: Amounts }) {
  const named = (amounts: Amounts) =>
    new Map<Name, bigint>(accountNames.map((name, index) => [name, amounts[index] ?? 0n]))
  const world: World = {
    held: named(start.held),
    credit: named(start.credit),
    blocked: new Set(),
    deposits: new Map(),
    states: new Map(),
    days: 0,
    terms: { perDay: 0n, inDollars: false },
  }
  return {
    list: (by: Name, terms: Terms) => list(world, by, terms),
    listMany: (by: Name, all: readonly Terms[]) => listMany(world, by, all),
    payOrder: (id: number, order: ModelOrder) => payOrder(world, id, order),
    deposit: (by: Name, id: number, amount: bigint) => deposit(world, by, { id, amount }),
    settle: (id: number, order: ModelOrder) => settle(world, id, order),
    refund: (by: Name, id: number, order: ModelOrder) => refund(world, by, { id, order }),
    withdraw: (by: Name, to: Name) => withdraw(world, by, to),
    block: (name: Name, isBlocked: boolean): Result => {
      if (isBlocked) world.blocked.add(name)
      else world.blocked.delete(name)
      return 'success'
    },
    observe: () => observe(world),
  }
}

export type DollarModel = ReturnType<typeof dollarModel>

const stateOf = ({ states }: World, id: number): State => states.get(id) ?? 'open'
const depositOf = ({ deposits }: World, id: number) => deposits.get(id) ?? 0n

const add = (map: Map<Name, bigint>, name: Name, amount: bigint) =>
  map.set(name, (map.get(name) ?? 0n) + amount)

/** Pays an account, or credits it where the dollar refuses. */
function payOut({ blocked, credit, held }: World, to: Name, amount: bigint): void {
  if (amount > 0n) add(blocked.has(to) ? credit : held, to, amount)
}

function list(world: World, by: Name, { perDay, inDollars }: Terms): Result {
  if (by !== 'owner') return 'ListingNotOwner'
  if (perDay > highest) return 'ListingPriceTooHigh'
  world.terms = { perDay, inDollars: inDollars && perDay > 0n }
  return 'success'
}

/** Lists in each way, one after the other: the last one counts, and all of them or none. */
function listMany(world: World, by: Name, all: readonly Terms[]): Result {
  const before = world.terms
  const results = all.map((terms) => list(world, by, terms))
  const problem = all.length === 0 ? 'BatchSizeInvalid' : results.find((it) => it !== 'success')
  if (problem !== undefined) world.terms = before
  return problem ?? 'success'
}

function findClosed(world: World, id: number, { isLate }: ModelOrder): Result | undefined {
  if (stateOf(world, id) !== 'open') return 'OrderClosed'
  return isLate ? 'OrderExpired' : undefined
}

function findMisfit({ terms, days }: World, { kind, price }: ModelOrder): Result | undefined {
  if (kind === 'royalty') return price === 0n ? 'RoyaltyZero' : undefined
  if (terms.perDay === 0n) return 'ListingNotForRent'
  if (!terms.inDollars) return 'ListingCurrencyChanged'
  if (terms.perDay !== price) return 'ListingPriceChanged'
  return days + 1 > 365 ? 'RentalTooLong' : undefined
}

function carryOut(world: World, id: number, { kind, price }: ModelOrder): void {
  world.states.set(id, 'settled')
  if (kind === 'royalty') {
    payOut(world, 'owner', price)
    return
  }
  world.days += 1
  const claim = (price * claimBps) / 10_000n
  payOut(world, 'creator', claim)
  payOut(world, 'owner', price - claim)
}

function findPayersProblem({ blocked, held }: World, by: Name, price: bigint): Result | undefined {
  if (blocked.has(by)) return 'Blocked'
  return (held.get(by) ?? 0n) < price ? 'refused' : undefined
}

function payOrder(world: World, id: number, order: ModelOrder): Result {
  const problem =
    findClosed(world, id, order) ??
    findPayersProblem(world, 'payer', order.price) ??
    findMisfit(world, order)
  if (problem !== undefined) return problem
  add(world.held, 'payer', -order.price)
  carryOut(world, id, order)
  return 'success'
}

type Moved = { readonly id: number; readonly amount: bigint }

/** Moves dollars to the address of an order, as anybody may. */
function deposit(world: World, by: Name, { id, amount }: Moved): Result {
  const problem = findPayersProblem(world, by, amount)
  if (problem !== undefined) return problem
  add(world.held, by, -amount)
  world.deposits.set(id, depositOf(world, id) + amount)
  return 'success'
}

function settle(world: World, id: number, order: ModelOrder): Result {
  const excess = depositOf(world, id) - order.price
  const short = excess < 0n ? 'OrderPaymentShort' : undefined
  const problem = findClosed(world, id, order) ?? short ?? findMisfit(world, order)
  if (problem !== undefined) return problem
  carryOut(world, id, order)
  // An excess that the dollar refuses to send stays where it is.
  const stays = world.blocked.has(order.refundTo)
  world.deposits.set(id, stays ? excess : 0n)
  if (!stays) add(world.held, order.refundTo, excess)
  return 'success'
}

type Refunded = { readonly id: number; readonly order: ModelOrder }

function refund(world: World, by: Name, { id, order }: Refunded): Result {
  const amount = depositOf(world, id)
  const closes = stateOf(world, id) === 'open'
  const isByRefundee = by === order.refundTo
  if (closes && !isByRefundee && isTooEarly(world, order, amount)) return 'OrderRefundTooEarly'
  const closesOnly = amount === 0n && closes && isByRefundee
  if (!closesOnly && (amount === 0n || world.blocked.has(order.refundTo))) {
    return 'OrderRefundFailed'
  }
  if (closes) world.states.set(id, 'refunded')
  world.deposits.set(id, 0n)
  add(world.held, order.refundTo, amount)
  return 'success'
}

/** Returns whether a stranger may not refund yet: what is there is dust, or may be used for the act. */
function isTooEarly(world: World, order: ModelOrder, amount: bigint): boolean {
  if (order.isLate) return false
  return amount < order.price || (order.price > 0n && findMisfit(world, order) === undefined)
}

function withdraw({ blocked, credit, held }: World, by: Name, to: Name): Result {
  const amount = credit.get(by) ?? 0n
  if (amount === 0n) return 'CreditEmpty'
  if (blocked.has(to)) return 'RecipientInvalid'
  credit.set(by, 0n)
  add(held, to, amount)
  return 'success'
}

/** Returns everything that the chain shows too. */
function observe(world: World) {
  const ids = [...new Set([...world.deposits.keys(), ...world.states.keys()])]
  return {
    held: accountNames.map((name) => world.held.get(name)),
    credit: accountNames.map((name) => world.credit.get(name)),
    orders: ids
      .toSorted((one, other) => one - other)
      .map((id) => [id, stateOf(world, id), depositOf(world, id)] as const),
    days: world.days,
  }
}
