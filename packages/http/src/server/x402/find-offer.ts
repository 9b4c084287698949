import type {
  EncodedOrder,
  OrderReads,
  OrderView,
  Standing,
} from '@heirloom/adapters/internal/orders'
import {
  type Account,
  type Clock,
  dollars,
  Failure,
  fromSeconds,
  hash,
  type Ledger,
  type Listing,
  maxRentalDays,
  orderTerms,
  requireFound,
  toSeconds,
} from '@heirloom/core'
import {
  deadlineAt,
  earlierDeadlines,
  momentOf,
  mostRounds,
  orderOf,
  type PaidAct,
  saltAt,
} from './paid-act.ts'

/** The needs of a paid act: nothing any more, or an order to be paid. */
export type Offer =
  | { readonly kind: 'done'; readonly order?: EncodedOrder }
  | { readonly kind: 'open'; readonly order: EncodedOrder; readonly view: OrderView }

/** The parts that an offer is read from. */
export type OfferParts = {
  readonly orders: OrderReads
  readonly ledger: Pick<Ledger, 'listing'>
  readonly clock: Pick<Clock, 'now'>
  /** The dollar of the pair. */
  readonly asset: Account
}

/**
 * Finds the order of a paid act, or that the recipient has what it asks for. Keeps nothing: the order
 * follows from the request and the chain, so every server finds the same.
 *
 * @throws `token/not-found`, `order/closed`, `order/expired`, and why the listing does not offer it
 */
export async function findOffer(parts: OfferParts, paidAct: PaidAct): Promise<Offer> {
  for (let reading = 1; ; reading++) {
    const { offer, problem } = await readOffer(parts, paidAct)
    if (problem === undefined) return offer
    // The listing may have changed between two reads of the chain.
    if (reading === mostReadings) throw problem
  }
}

/** The times that an offer is read before it counts as one that cannot be carried out. */
const mostReadings = 4

/** An offer, and why its act would fail although the listing has its price. */
type Reading = { readonly offer: Offer; readonly problem?: Failure }

async function readOffer(parts: OfferParts, paidAct: PaidAct): Promise<Reading> {
  const { tokenId, recipient } = paidAct
  const standing = await parts.orders.standing(tokenId, recipient)
  if (isDone(paidAct, standing, parts.clock)) return { offer: { kind: 'done' } }
  // A named price needs no listing, which may have ended since the order was carried out.
  const price = paidAct.price ?? (await listedPrice(parts, paidAct))
  const moment = momentFor(paidAct, standing)
  const deadline = deadlineFor(paidAct, standing, parts.clock)
  const offer = await findOrder(parts, paidAct, { price, moment, deadline })
  if (offer.kind === 'done') return { offer }
  if (paidAct.price !== undefined) await requireTerms(parts, paidAct)
  const isLate = laterOf(standing.asOf, parts.clock) > deadline
  if (offer.view.isOpen && !isLate) return { offer }
  return { offer, problem: misfit(paidAct, offer, { ...standing, isLate }) }
}

/**
 * Returns whether the recipient has what a paid act asks for.
 *
 * @throws `value/invalid` for a rental to prolong that never was
 */
export function isDone(
  { act, renew }: Pick<PaidAct, 'act' | 'renew'>,
  { isOwner, expiresAt, asOf }: Standing,
  clock: Pick<Clock, 'now'>,
): boolean {
  if (act === 'fork' || act === 'royalty') return false
  if (isOwner || act === 'buy') return isOwner
  if (renew === undefined) return expiresAt > laterOf(asOf, clock)
  if (expiresAt >= renew) return expiresAt > renew
  const problem = `must end at the time in renew; that of the recipient ends at ${expiresAt} (0 is none)`
  throw new Failure('value/invalid', { kind: 'rental to prolong', problem })
}

const laterOf = (asOf: bigint, clock: Pick<Clock, 'now'>): bigint => {
  const now = BigInt(toSeconds(clock.now()))
  return asOf > now ? asOf : now
}

function momentFor({ act, id }: PaidAct, { transferCount, expiresAt }: Standing): bigint {
  if (id !== undefined) return momentOf(id)
  return act === 'buy' ? transferCount : expiresAt
}

const deadlineFor = (
  { deadline }: PaidAct,
  { asOf }: Standing,
  clock: Pick<Clock, 'now'>,
): bigint => deadline ?? deadlineAt({ asOf, now: BigInt(toSeconds(clock.now())) })

type PricedMoment = { readonly price: bigint; readonly moment: bigint; readonly deadline: bigint }

async function findOrder(
  { orders, asset }: OfferParts,
  paidAct: PaidAct,
  { price, moment, deadline }: PricedMoment,
): Promise<Offer> {
  const choice = { asset, price, deadline }
  for (let round = 0; round < mostRounds; round++) {
    const order = orderOf(paidAct, { ...choice, salt: saltAt(moment, round) })
    const view = await orders.look(order)
    if (view.state === 'settled') return { kind: 'done', order }
    if (view.state === 'open') return { kind: 'open', order, view }
  }
  const { orderHash } = orders.locate(
    orderOf(paidAct, { ...choice, salt: saltAt(moment, mostRounds) }),
  )
  throw new Failure('order/closed', { orderHash: hash(orderHash), state: 'refunded' })
}

/**
 * Finds the order of the same request with an earlier deadline whose price is at its address: somebody
 * used its payment, and nobody carried it out in time.
 */
export async function findWaiting(
  { orders }: Pick<OfferParts, 'orders'>,
  { deadline }: PaidAct,
  current: EncodedOrder,
): Promise<Extract<Offer, { kind: 'open' }> | undefined> {
  if (deadline !== undefined) return undefined
  const earlier = earlierDeadlines(current.deadline).map((it) => ({ ...current, deadline: it }))
  const paid = await Promise.all(earlier.map((order) => orders.paidTo(order)))
  const order = earlier.find((_, index) => (paid[index] ?? 0n) >= current.price)
  if (order === undefined) return undefined
  const view = await orders.look(order)
  return view.state === 'open' ? { kind: 'open', order, view } : undefined
}

async function listingOf(
  { ledger }: Pick<OfferParts, 'ledger'>,
  { tokenId }: Pick<PaidAct, 'tokenId'>,
): Promise<Listing> {
  return requireFound(tokenId, await ledger.listing(tokenId))
}

/**
 * Returns the price of an act in the listing of its token; 0 for a royalty.
 *
 * @throws `token/not-found`, and why the listing does not offer it
 */
export async function listedPrice(
  parts: Pick<OfferParts, 'ledger'>,
  paidAct: Pick<PaidAct, 'act' | 'tokenId' | 'days'>,
): Promise<bigint> {
  const { act, days } = paidAct
  const listing = await listingOf(parts, paidAct)
  return act === 'royalty' ? 0n : orderTerms(listing, { act, days }).price
}

/** Requires that the listing offers a fork on the terms that its client named. */
async function requireTerms(parts: OfferParts, paidAct: PaidAct): Promise<void> {
  const { act, tokenId, price: offered = 0n, maxRoyaltyBps: accepted } = paidAct
  if (act !== 'fork') return
  const { price, maxRoyaltyBps: royaltyBps } = orderTerms(await listingOf(parts, paidAct), { act })
  if (price !== offered) {
    const facts = { tokenId, price, offered: dollars(offered), currency: 'dollar' } as const
    throw new Failure('listing/price-changed', facts)
  }
  if (royaltyBps > accepted) {
    throw new Failure('listing/royalty-changed', { tokenId, royaltyBps, accepted })
  }
}

/** Returns why the act of an open order would fail, although the listing has its price. */
function misfit(
  { act, tokenId, recipient, days, price }: PaidAct,
  { order: { deadline }, view }: Extract<Offer, { kind: 'open' }>,
  { expiresAt, asOf, isLate }: Standing & { readonly isLate: boolean },
): Failure {
  const { orderHash } = view
  if (isLate) {
    return new Failure('order/expired', { orderHash, deadline: fromSeconds(Number(deadline)) })
  }
  const end = (expiresAt > asOf ? expiresAt : asOf) + BigInt(days) * secondsOfDay
  const limit = asOf + BigInt(maxRentalDays) * secondsOfDay
  if (act === 'rent' && end > limit) {
    const facts = { expiresAt: fromSeconds(Number(end)), limit: fromSeconds(Number(limit)) }
    return new Failure('rental/too-long', { tokenId, ...facts })
  }
  if (act === 'royalty' && price === 0n) return new Failure('royalty/zero', {})
  return new Failure('recipient/invalid', { recipient })
}

const secondsOfDay = 86_400n
