import { noDeadline, type OrderPayment } from '@heirloom/adapters/internal/acts'
import { encodePayment, numberOrder, signPayment } from '@heirloom/adapters/internal/wallet'
import { account, type Order, tokenId } from '@heirloom/core'
import type { Payment } from '../acts/act.ts'
import { Problem } from '../api/problem.ts'
import { chainProvider } from '../chain/chain-provider.ts'
import { openChain } from '../chain/open-chain.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { typedDataSigner } from '../wallet/sign-typed-data.ts'
import type { CheckedPayment } from './check-payment.ts'
import { recordSignature, releaseSlot, reserveSlot } from './order-slots.ts'
import type { SignedAct } from './signed-act.ts'

/** An order that a wallet signed the payment of. */
export type SignedOrder = SignedAct & { readonly payment: OrderPayment }

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
  const key = keyOf(act, wallet)
  const terms = `${checked.terms.price} ${checked.terms.maxRoyaltyBps}`
  const chain = await openChain(chainProvider(wallet))
  const next = await numberOrder(chain, alikeOf(act, wallet, checked))
  if (next === undefined) throw noOpenOrder()
  const { salt, deadline } = reserveSlot(key, terms, next.salt)
  const earlier = signedOrders.get(key)
  if (earlier?.payment.order.salt === salt) return earlier
  const payable = { order: { ...next, salt }, dollar: checked.dollar, deadline }
  const { hash, payment } = await signPayment(typedDataSigner(wallet), payable, chain)
  const signed = { hash, payment, deadline, body: encodePayment(payment) }
  signedOrders.set(key, signed)
  recordSignature(key, terms)
  return signed
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
