import {
  type DollarDomain,
  decodeSettle,
  type EncodedOrder,
  type OrderSettlement,
  type OrderView,
} from '@heirloom/adapters/internal/orders'
import {
  type Relay,
  requirePrice,
  requireRefundee,
  type SettledOrder,
} from '@heirloom/adapters/internal/relay'
import {
  type Catalogue,
  type Clock,
  type Failure,
  type FailureCode,
  type Hex,
  isFailure,
  type proveAccount,
} from '@heirloom/core'
import { statusOf } from '../../api/status-of.ts'
import { oneAtATime } from '../bounds/turns.ts'
import type { RelayActs, RelayClient } from '../relay-acts.ts'
import { refuseWorthless } from '../request/guard-acquisitions.ts'
import { findFlaw, findForeign, type Refusal, refusals } from './check-payment.ts'
import {
  findOffer,
  findWaiting,
  isDone,
  listedPrice,
  type Offer,
  type OfferParts,
} from './find-offer.ts'
import { type IncompleteAct, isForSame, isOrderOf, type PaidAct } from './paid-act.ts'
import { type Payment, settlementOf } from './payment.ts'
import { rescue } from './rescue.ts'

/** The answer to a request: what the recipient has, or what is to be paid. */
export type PaidActAnswer =
  | {
      readonly kind: 'done'
      readonly order?: EncodedOrder | undefined
      /** The act, where this server carried it out. */
      readonly settled?: SettledOrder | undefined
    }
  | (Extract<Offer, { kind: 'open' }> & {
      /** Why the payment that came with the request was not used. */
      readonly refusal?: Refusal | undefined
      /** Whether the payment was tried, and failed. */
      readonly isTried?: boolean
    })

/** Acts in dollars for clients that pay by x402. */
export type PaidActs = {
  readonly dollar: DollarDomain
  /** Verifies the proof of an account, which has no right to the token yet. @throws as `proveAccount` */
  readonly prove: (input: proveAccount.Input) => Promise<void>
  /**
   * Answers a request. Charges nothing where the recipient has what it asks for, and nothing without
   * the act.
   *
   * @throws `recipient/invalid` if nobody could get a refund, the failures of `findOffer` and of a
   * `Relay`, `listing/copied`, `memory/erased`
   */
  answer(paidAct: PaidAct, request: PaidActRequest): Promise<PaidActAnswer>
  /**
   * Answers a request that lacks parameters: that its recipient has the token, or the price. Takes no
   * payment, whatever comes with it.
   *
   * @throws `token/not-found`, `relay/underpriced`, `listing/copied`, `memory/erased`, and why the
   * listing does not offer it
   */
  quote(incomplete: IncompleteAct): Promise<Quote>
  readonly clock: Pick<Clock, 'now'>
  /** The lowest price that is relayed, in millionths of a dollar. */
  readonly leastOrder: bigint
}

/** The answer to a request that lacks parameters: its recipient has it, or the price of what it may mean. */
export type Quote =
  | Extract<PaidActAnswer, { kind: 'done' }>
  | { readonly kind: 'incomplete'; readonly price: bigint; readonly failure?: Failure }

/** The client of a request, and the payment in it. */
export type PaidActRequest = {
  readonly client: RelayClient
  readonly payment: Payment | undefined
}

export declare namespace openPaidActs {
  type Parts = OfferParts & {
    readonly prove: PaidActs['prove']
    readonly relay: RelayActs
    readonly settled: Relay['settled']
    /** Returns the call data of the settlements that are under way. */
    readonly unfinished: () => Promise<readonly Hex[]>
    /** Tells copies, which nobody can open. */
    readonly catalogue: Pick<Catalogue, 'token'>
    readonly dollar: DollarDomain
    readonly contracts: Parameters<typeof requireRefundee>[1]
    /** The lowest price that is relayed, in millionths of a dollar. */
    readonly leastOrder: bigint
    /** Counts each answer, by its act and its kind. */
    readonly count?: (answer: { readonly act: string; readonly result: string }) => void
  }
}

/** Opens the acts that are paid by x402. */
export function openPaidActs(parts: openPaidActs.Parts): PaidActs {
  const inTurn = oneAtATime()
  const { dollar, prove, clock, leastOrder, contracts, catalogue } = parts
  const { count = () => undefined } = parts
  return {
    dollar,
    leastOrder,
    prove,
    clock,
    quote: async (incomplete) => {
      const { act, tokenId } = incomplete
      if (act !== 'royalty') await refuseWorthless(tokenId, catalogue.token(tokenId))
      const answer = await quote(parts, incomplete)
      count({ act, result: answer.kind === 'done' ? 'free' : 'required' })
      return answer
    },
    answer: async (paidAct, request) => {
      const { act, tokenId, recipient } = paidAct
      // Before anything is asked for: the relay refuses such an order although it was paid.
      requireRefundee(paidAct, contracts)
      if (act !== 'royalty') await refuseWorthless(tokenId, catalogue.token(tokenId))
      const { client, payment } = request
      const task = async () => {
        await awaitUnfinished(parts, paidAct)
        return payment === undefined
          ? ask(parts, paidAct, client)
          : pay(parts, paidAct, { client, payment })
      }
      // Two payments at once for one paid act: the second one finds what the first one did. Anyone can
      // name any recipient, so nobody waits for what another client asks for.
      const line = `${client.name} ${act} ${tokenId} ${recipient}`
      const answer = await (payment === undefined ? task() : inTurn(line, task))
      count({ act, result: resultOf(answer) })
      return answer
    },
  }
}

async function quote(parts: openPaidActs.Parts, incomplete: IncompleteAct): Promise<Quote> {
  const { act, tokenId, recipient } = incomplete
  if (recipient !== undefined) {
    const standing = await parts.orders.standing(tokenId, recipient)
    if (isDone({ act, renew: undefined }, standing, parts.clock)) return { kind: 'done' }
  }
  const listed = await listedPrice(parts, incomplete)
  const price = act === 'royalty' ? parts.leastOrder : listed
  requirePrice({ price }, parts.leastOrder)
  return { kind: 'incomplete', price }
}

/**
 * Waits for what another process began for the same paid act, or this one before it was killed: at
 * another price it would be another order, and both would be paid.
 */
async function awaitUnfinished(
  { unfinished, settled }: openPaidActs.Parts,
  paidAct: PaidAct,
): Promise<void> {
  for (const data of await unfinished()) {
    const { order } = decodeSettle(data)
    if (isForSame(paidAct, order)) await settled(order)
  }
}

function resultOf(answer: PaidActAnswer): string {
  if (answer.kind === 'done') return answer.settled === undefined ? 'free' : 'paid'
  return answer.refusal === undefined ? 'required' : 'refused'
}

/** Answers a request without a payment; one that was paid before is carried out now. */
async function ask(
  parts: openPaidActs.Parts,
  paidAct: PaidAct,
  client: RelayClient,
): Promise<PaidActAnswer> {
  const offer = await findOffer(parts, paidAct)
  if (offer.kind === 'done') return done(parts, offer.order)
  const { order, view } = offer
  requirePrice(order, parts.leastOrder)
  if (view.balance >= order.price) return use(parts, paidAct, { client, order, view })
  const waiting = await findWaiting(parts, paidAct, order)
  return waiting === undefined ? offer : use(parts, paidAct, { ...waiting, client })
}

async function done(
  { settled }: openPaidActs.Parts,
  order: EncodedOrder | undefined,
): Promise<PaidActAnswer> {
  return { kind: 'done', order, settled: order === undefined ? undefined : await settled(order) }
}

type Paying = { readonly client: RelayClient; readonly payment: Payment }

/** Answers a request with a payment, which is used for the act or not at all. */
async function pay(
  parts: openPaidActs.Parts,
  paidAct: PaidAct,
  { client, payment }: Paying,
): Promise<PaidActAnswer> {
  const { order } = payment
  const { deposit } = parts.orders.locate(order)
  if (!isOrderOf(paidAct, order)) return refuse(parts, paidAct, { refusal: refusals.otherOrder })
  const foreign = findForeign(payment, { ...parts, deposit })
  if (foreign !== undefined) return refuse(parts, paidAct, { refusal: foreign })

  const view = await parts.orders.look(order)
  if (view.state === 'settled') {
    // A second payment that somebody used is a surplus.
    await rescue(parts, order, { client, isWanted: false })
    return done(parts, order)
  }
  return use(parts, paidAct, { client, order, view, payment })
}

type Using = Pick<Paying, 'client'> & {
  readonly order: EncodedOrder
  readonly view: OrderView
  /** Absent where the money is at the address of the order. */
  readonly payment?: Payment
}

/** Uses what pays an order for its act, or gives back what nobody needs any more. */
async function use(
  parts: openPaidActs.Parts,
  paidAct: PaidAct,
  { client, order, view, payment }: Using,
): Promise<PaidActAnswer> {
  // Read after the order: where its terms are those of the listing again, what another one did shows.
  const standing = await parts.orders.standing(paidAct.tokenId, paidAct.recipient)
  const hasIt = isDone(paidAct, standing, parts.clock)
  if (hasIt || !view.isOpen) {
    // Somebody may have used the payment early, for an act that is not wanted or offered any more.
    await rescue(parts, order, { client, isWanted: !hasIt })
    return hasIt ? { kind: 'done' } : refuse(parts, paidAct, { refusal: refusals.otherTerms })
  }
  const flaw = payment && (await findFlaw(parts, payment, view))
  if (flaw !== undefined) return refuse(parts, paidAct, { refusal: flaw })
  return settle(parts, paidAct, { client, settlement: settlementOf({ order, ...payment }, view) })
}

type Settling = Pick<Paying, 'client'> & { readonly settlement: OrderSettlement }

/** Carries out an order that is paid, or is paid by the authorization that comes with it. */
async function settle(
  parts: openPaidActs.Parts,
  paidAct: PaidAct,
  { client, settlement }: Settling,
): Promise<PaidActAnswer> {
  const { order } = settlement
  try {
    await parts.relay({ kind: 'settle', settlement }, client)
    return await done(parts, order)
  } catch (error) {
    if (!isFailure(error) || isOurs(error)) throw error
    if ((await parts.orders.look(order)).state === 'settled') return done(parts, order)
    await rescue(parts, order, { client, isWanted: true })
    const refusal = {
      reason: 'invalid_transaction_state',
      problem: error.message.replace(/\.$/, ''),
    }
    return refuse(parts, paidAct, { refusal, isTried: true })
  }
}

/** The failures of what the server spends for others, beside those of its chain and its load. */
const ofServer: ReadonlySet<FailureCode> = new Set([
  ...(['api-key/call-limit', 'relay/day-limit', 'relay/too-costly'] as const),
  ...(['relay/underpriced', 'wallet/call-limit', 'wallet/short'] as const),
])

/** Returns whether a failure is one of the server: its limits, its chain, its load. */
function isOurs({ code }: Failure): boolean {
  const { status } = statusOf[code]
  return status >= 500 || status === 429 || ofServer.has(code)
}

/** Returns what is to be paid instead. */
async function refuse(
  parts: openPaidActs.Parts,
  paidAct: PaidAct,
  why: { readonly refusal: Refusal; readonly isTried?: boolean },
): Promise<PaidActAnswer> {
  const offer = await findOffer(parts, paidAct)
  return offer.kind === 'done' ? done(parts, offer.order) : { ...offer, ...why }
}
