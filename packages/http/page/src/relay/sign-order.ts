import { type Account, type Order, orderStates, tokenId } from '@heirloom/core'
import type { Hex } from 'viem'
import { memoryMarketplaceAbi } from '../../../../adapters/src/ledger/contracts.generated.ts'
import { encodeOrder, orderHash } from '../../../../adapters/src/ledger/orders/encode-order.ts'
import type { OrderPayment } from '../../../../adapters/src/ledger/orders/encode-payment.ts'
import { findOpenSalt, noDeadline } from '../../../../adapters/src/ledger/orders/order-series.ts'
import { paymentAuthorization } from '../../../../adapters/src/ledger/orders/payment-authorization.ts'
import { printPayment } from '../../../src/api/print-order.ts'
import type { Payment } from '../acts/act.ts'
import { Problem } from '../api/problem.ts'
import { chainProvider } from '../chain/chain-provider.ts'
import { readView } from '../chain/read-view.ts'
import { loadDeployment } from '../deployment.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { signTypedData } from '../wallet/sign-typed-data.ts'
import type { CheckedPayment } from './check-payment.ts'
import { type OrderSlot, recordSignature, releaseSlot, reserveSlot } from './order-slots.ts'
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
  const slot = reserveSlot(key, terms, await findSalt(alikeOf(act, wallet, checked), wallet))
  const earlier = signedOrders.get(key)
  if (earlier?.payment.order.salt === slot.salt) return earlier
  const signed = await signInSlot(act, wallet, { ...checked, slot })
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

type AlikeOrder = Omit<Order, 'salt'>

/** Returns the order of an act without its salt. Its payment bounds it in time, and not its deadline. */
function alikeOf(
  act: Payment,
  { account }: ConnectedWallet,
  { dollar, terms }: Pick<CheckedPayment, 'dollar' | 'terms'>,
): AlikeOrder {
  const payer = account as Account
  return {
    ...{ ...terms, tokenId: tokenId(act.tokenId), asset: dollar.address },
    ...{ recipient: payer, refundTo: payer, deadline: noDeadline },
  }
}

/** Returns the salt of the next order of its like, as the chain has it. */
async function findSalt(alike: AlikeOrder, wallet: ConnectedWallet): Promise<Hex> {
  const { chainId, marketplace } = await loadDeployment()
  const view = { address: marketplace, abi: memoryMarketplaceAbi, functionName: 'stateOf' }
  const salt = await findOpenSalt(async (it) => {
    const args = [orderHash({ ...alike, salt: it }, { chainId, marketplace })]
    const state = await readView<number>(chainProvider(wallet), { ...view, args })
    return orderStates[state] === 'open'
  })
  if (salt !== undefined) return salt
  throw new Problem(
    'The chain shows no order that is open.',
    'Nothing was signed. Try again later.',
    {
      code: 'relay/no-open-order',
    },
  )
}

async function signInSlot(
  act: Payment,
  wallet: ConnectedWallet,
  { dollar, terms, slot }: CheckedPayment & { readonly slot: OrderSlot },
): Promise<SignedOrder> {
  const { chainId, marketplace } = await loadDeployment()
  const payer = wallet.account as Account
  const { salt, deadline } = slot
  const order: Order = { ...alikeOf(act, wallet, { dollar, terms }), salt }
  const hash = orderHash(order, { chainId, marketplace })
  // An authorization ends before this second.
  const validBefore = BigInt(deadline) + 1n
  const { price } = terms
  const typed = paymentAuthorization({
    ...{ dollar, marketplace, payer, price, orderHash: hash, validBefore },
  })
  const signature = await signTypedData(wallet, typed)
  const payment = { order: encodeOrder(order), payer, validAfter: 0n, validBefore, signature }
  const proof = { kind: 'order', orderHash: hash, asset: dollar.address, payer } as const
  return { payment, deadline, proof, body: { payOrder: printPayment(payment) } }
}
