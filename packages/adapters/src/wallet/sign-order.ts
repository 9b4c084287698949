import { account, type Hash, type Order } from '@heirloom/core'
import type { PublicClient } from 'viem'
import {
  type DollarDomain,
  encodeOrder,
  findOpenSalt,
  isOrderOpen,
  type OrderPayment,
  orderHash,
  paymentAuthorization,
} from '../ledger/acts/index.ts'
import type { WalletChain } from './open-chain.ts'
import type { Signer } from './sender.ts'

/** An order, the dollar that it is paid in, and when the payment ends. */
export type Payable = {
  readonly order: Order
  readonly dollar: DollarDomain
  /** The last second in which the payment is valid, since 1970. */
  readonly deadline: number
}

/** The contracts that carry out an order, and their chain. */
type Market = Pick<WalletChain, 'chainId'> & {
  readonly pair: Pick<WalletChain['pair'], 'registry' | 'marketplace'>
}

/** Lets an account sign the payment of an order: exactly its price, for this order alone. */
export async function signPayment(
  signer: Pick<Signer, 'address' | 'signTypedData'>,
  { order, dollar, deadline }: Payable,
  { chainId, pair: { marketplace } }: Market,
): Promise<{ readonly hash: Hash; readonly payment: OrderPayment }> {
  const payer = account(signer.address)
  const hash = orderHash(order, { chainId, marketplace })
  // The authorization is invalid from this second on.
  const validBefore = BigInt(deadline) + 1n
  const { price } = order
  const paid = { dollar, marketplace, payer, orderHash: hash, price, validBefore }
  const signature = await signer.signTypedData(paymentAuthorization(paid))
  const payment = { order: encodeOrder(order), payer, validAfter: 0n, validBefore, signature }
  return { hash, payment }
}

/**
 * Returns the first order of its like that is open; `undefined` if none is found. Another process that
 * wants the same, and does not know of this one, signs a payment for the same order, and the dollar takes
 * one of them.
 *
 * @throws `ledger/unavailable`
 */
export async function numberOrder(
  { client, ...market }: Market & { readonly client: Pick<PublicClient, 'request'> },
  alike: Omit<Order, 'salt'>,
): Promise<Order | undefined> {
  const { chainId, pair } = market
  const salt = await findOpenSalt((it) =>
    isOrderOpen(client, pair, orderHash({ ...alike, salt: it }, { ...pair, chainId })),
  )
  return salt && { ...alike, salt }
}
