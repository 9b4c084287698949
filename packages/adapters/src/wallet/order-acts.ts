import {
  type Account,
  currencyOf,
  type Dollars,
  dollars,
  Failure,
  type Idempotency,
  type Listing,
  type OrderTerms,
  orderTerms,
  requireFound,
  type TokenId,
  type Wei,
} from '@heirloom/core'
import type { ActOptions, Actor } from './actor.ts'
import type { OrderAct } from './open-orders.ts'
import { isUndecided } from './perform.ts'
import type { Performed } from './performer.ts'

/** A purchase, a rental or a fork, in the currency that the chain has, and the most to pay for it. */
export type Acquisition = {
  readonly act: 'buy' | 'rent' | 'fork'
  readonly tokenId: TokenId
  readonly recipient: Account
  readonly days?: number
  readonly maxPrice?: Wei | undefined
  readonly maxDollars?: Dollars | undefined
  readonly maxRoyaltyBps?: number | undefined
}

/** The identity of an act, and its options. */
export type Call = {
  readonly idempotency: Idempotency | undefined
  readonly options: ActOptions
}

/**
 * Acquires a token that is offered in dollars; returns `undefined` if it is offered in wei, or not at
 * all. With an idempotency key that was used before, returns the result of that act.
 *
 * @throws `listing/currency-changed` if the caller bounds the price in the other currency alone,
 * `listing/over-max-price`, `listing/royalty-changed`, and the failures of an order
 */
export const acquireInDollars = (
  actor: Actor,
  acquisition: Acquisition,
  call: Call,
): Promise<Performed | undefined> =>
  performOnce(actor, call, async () => {
    const { act, tokenId, recipient, days = 0 } = acquisition
    // Before the listing is read, which may have ended with the order.
    const performed = await actor.recallOrder({ act, tokenId, recipient, days })
    if (performed !== undefined) return performed
    const listing = requireFound(tokenId, await actor.reads.listing(tokenId))
    return orderOf(listing, acquisition)
  })

/** Pays a royalty in dollars to the creator of a token. @throws `royalty/zero`, `token/not-found` */
export async function royaltyInDollars(
  actor: Actor,
  { tokenId, amount }: { readonly tokenId: TokenId; readonly amount: Dollars },
  call: Call,
): Promise<Performed | undefined> {
  return performOnce(actor, call, async () => {
    if (amount === 0n) throw new Failure('royalty/zero', {})
    requireFound(tokenId, await actor.reads.provenance(tokenId))
    const terms = { act: 'royalty', price: amount, days: 0, maxRoyaltyBps: 0 } as const
    return { kind: 'order', ...terms, tokenId, recipient: actor.agent }
  })
}

/** An act to perform, the result of one that was performed before, or nothing in dollars. */
type Decision = OrderAct | Performed | undefined

async function performOnce(
  actor: Actor,
  { idempotency, options }: Call,
  decide: () => Promise<Decision>,
): Promise<Performed | undefined> {
  const recall = async () => idempotency && actor.recall(idempotency)
  const earlier = await recall()
  if (earlier !== undefined) return earlier
  try {
    return await performDecision(actor, await decide(), { idempotency, options })
  } catch (error) {
    // The same call may have been made twice at the same time, and the first one succeeded.
    const made = isUndecided(error) ? undefined : await recall()
    if (made === undefined) throw error
    return made
  }
}

async function performDecision(
  actor: Actor,
  decision: Decision,
  { idempotency, options }: Call,
): Promise<Performed | undefined> {
  if (decision === undefined) return undefined
  if (!('txHash' in decision)) return actor.perform(decision, idempotency, options)
  if (idempotency !== undefined) actor.record(idempotency, decision)
  return decision
}

function orderOf(listing: Listing, acquisition: Acquisition): OrderAct | undefined {
  const { act, tokenId, recipient, days = 0, maxPrice, maxDollars } = acquisition
  const acceptsDollars = maxDollars !== undefined || maxPrice === undefined
  const acceptsWei = maxPrice !== undefined || maxDollars === undefined
  if (currencyOf(listing) === 'native' && acceptsWei) return undefined
  const terms = orderTerms(listing, { act, days })
  if (!acceptsDollars) throw new Failure('listing/currency-changed', { tokenId })
  if (maxDollars !== undefined && terms.price > maxDollars) {
    const facts = { tokenId, price: terms.price, maxPrice: dollars(maxDollars) }
    throw new Failure('listing/over-max-price', { ...facts, currency: 'dollar' })
  }
  return { kind: 'order', ...withRoyaltyLimit(terms, acquisition), tokenId, recipient }
}

function withRoyaltyLimit(
  terms: OrderTerms,
  { act, tokenId, maxRoyaltyBps: accepted }: Acquisition,
): OrderTerms {
  if (act !== 'fork' || accepted === undefined) return terms
  const { maxRoyaltyBps: royaltyBps } = terms
  if (royaltyBps <= accepted) return { ...terms, maxRoyaltyBps: accepted }
  throw new Failure('listing/royalty-changed', { tokenId, royaltyBps, accepted })
}
