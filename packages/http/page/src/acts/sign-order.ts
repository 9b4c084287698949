import { noDeadline, type OrderPayment } from '@heirloom/adapters/internal/acts'
import {
  encodePayment,
  numberOrder,
  type SignedAct as OwnSignedAct,
  signPayment,
} from '@heirloom/adapters/internal/wallet'
import { account, type Order, tokenId } from '@heirloom/core'
import type { Hex } from 'viem'
import { Problem } from '../api/problem.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { chainProvider, openChain } from '../wallet/open-chain.ts'
import { typedDataSigner } from '../wallet/signers.ts'
import type { Payment } from './act.ts'
import type { CheckedPayment } from './check-payment.ts'

/** An order that a wallet signed the payment of. */
type SignedOrder = SignedAct & { readonly payment: OrderPayment }

/** The orders that were signed since the page was loaded, by their act. */
const signedOrders = new Map<string, SignedOrder>()

/**
 * Lets a wallet sign the payment of an act in dollars (EIP-3009): exactly its price, to the
 * marketplace, for this order alone. An act that is tried again is the same order, so it is paid once
 * at most, whatever became of the first try.
 *
 * @throws {Problem} when the wallet or its user refuses
 */
export async function signOrder(
  act: Payment,
  wallet: ConnectedWallet,
  checked: CheckedPayment,
): Promise<SignedOrder> {
  const { key, terms, chain, order, deadline } = await placeOrder(act, wallet, checked)
  const earlier = signedOrders.get(key)
  if (earlier?.payment.order.salt === order.salt) return earlier
  const payable = { order, dollar: checked.dollar, deadline }
  const { hash, payment } = await signPayment(typedDataSigner(wallet), payable, chain)
  const signed = { hash, payment, deadline, body: encodePayment(payment) }
  signedOrders.set(key, signed)
  recordSignature(key, terms)
  return signed
}

/**
 * Places an act as an order: the same one however often it is tried, while its slot is good.
 *
 * @param way - how it is paid, where that is no signed payment; while it may still be paid one way, it is
 * not placed for another
 * @throws {Problem} while an earlier order may still be carried out
 */
export async function placeOrder(
  act: Payment,
  wallet: ConnectedWallet,
  checked: CheckedPayment,
  way = '',
) {
  const key = keyOf(act, wallet)
  const terms = `${checked.terms.price} ${checked.terms.maxRoyaltyBps}${way}`
  const chain = await openChain(chainProvider(wallet))
  const next = await numberOrder(chain, alikeOf(act, wallet, checked))
  if (next === undefined) throw noOpenOrder()
  const { salt, deadline } = reserveSlot(key, terms, next.salt)
  return { key, terms, chain, order: { ...next, salt }, deadline }
}

/** Forgets the order of an act that was carried out: the next one like it is another order. */
export function forgetSignedOrder(act: Payment, wallet: Pick<ConnectedWallet, 'account'>): void {
  const key = keyOf(act, wallet)
  signedOrders.delete(key)
  releaseSlot(key)
}

const keyOf = (act: Payment, { account }: Pick<ConnectedWallet, 'account'>) =>
  JSON.stringify([account, giftOf(act)])

/**
 * Returns what an act gives. A rental or a fork is the same at any price: its seller could offer one price
 * after the other, and have both orders carried out. Of two purchases of a token the second one fails.
 */
function giftOf(act: Payment): Partial<Payment> {
  const { kind, tokenId } = act
  if (act.kind === 'rent') return { kind, tokenId, days: act.days }
  return act.kind === 'fork' ? { kind, tokenId } : act
}

/** Returns the order of an act without its salt. Its payment bounds it in time, and not its deadline. */
function alikeOf(
  act: Payment,
  wallet: ConnectedWallet,
  { dollar, terms }: CheckedPayment,
): Omit<Order, 'salt'> {
  const payer = account(wallet.account)
  return {
    ...terms,
    tokenId: tokenId(act.tokenId),
    asset: account(dollar.address),
    recipient: payer,
    refundTo: payer,
    deadline: noDeadline,
  }
}

const noOpenOrder = () =>
  new Problem('The chain shows no order that is open.', 'Nothing was signed. Try again later.', {
    code: 'relay/no-open-order',
  })

/** An act that a wallet signed, for somebody else to send; it can be carried out once at most. */
export type SignedAct = Omit<OwnSignedAct, 'since'>

/** The time that a signed act can be carried out, in seconds; long enough for a slow wallet. */
export const validity = 900

/** Returns the last second in which an act that is signed now may be carried out. */
export const deadlineFromNow = (): number => Math.floor(Date.now() / 1000) + validity

/** The value that tells an order from those that are equal but for it. */
export type OrderSlot = {
  readonly salt: Hex
  /** The last second in which its payment is valid, since 1970. */
  readonly deadline: number
  /** The terms of the order that was signed; absent until one was. */
  readonly terms?: string
}

const storageKey = 'heirloom.orders'

/** The shortest time that must be left to an order that is signed again, in seconds. */
const shortestTime = 120

type Slots = Readonly<Record<string, OrderSlot>>

/** Reads the slots of orders that may still be carried out, in any tab of this browser. */
function readSlots(now: number): Slots {
  const stored = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Slots
  return Object.fromEntries(Object.entries(stored).filter(([, { deadline }]) => deadline >= now))
}

const storeSlots = (slots: Slots) => localStorage.setItem(storageKey, JSON.stringify(slots))

const secondsNow = () => Math.floor(Date.now() / 1000)

/**
 * Returns the slot of an act: the same until the act is carried out, or its time is over. So an act that
 * is tried again, even after a reload of the page or in another tab, is the same order, and is paid once
 * at most.
 *
 * @param salt - the salt of the next order of this act and these terms, as the chain has it: tabs that
 * reserve at the same time get the same one
 * @throws {Problem} while an earlier order may still be carried out that was signed on other terms, or
 * whose time is nearly over: both would be paid
 */
export function reserveSlot(key: string, terms: string, salt: Hex): OrderSlot {
  const now = secondsNow()
  const slots = readSlots(now)
  const slot = slots[key] ?? { salt, deadline: deadlineFromNow() }
  const isOther = slot.terms !== undefined && slot.terms !== terms
  if (isOther || slot.deadline < now + shortestTime) throw earlierOrder(slot.deadline - now)
  storeSlots({ ...slots, [key]: slot })
  return slot
}

/** Records the terms at which the order in a slot was signed, or that it was at none. */
export function recordSignature(key: string, terms: string | undefined): void {
  const slots = readSlots(secondsNow())
  const slot = slots[key]
  if (slot === undefined) return
  const { salt, deadline } = slot
  storeSlots({ ...slots, [key]: { salt, deadline, ...(terms !== undefined && { terms }) } })
}

/** Releases the slot of an act that was carried out: the next one like it is another order. */
export function releaseSlot(key: string): void {
  const { [key]: _, ...others } = readSlots(secondsNow())
  storeSlots(others)
}

const earlierOrder = (seconds: number) =>
  new Problem(
    `An earlier payment for the same may still be carried out, for ${seconds + 1} seconds.`,
    'Nothing was signed now. Look at your memories then, before you try again.',
    { code: 'relay/earlier-order' },
  )
