import { account, type Hash, type Order } from '@heirloom/core'
import { hashTypedData, type PublicClient } from 'viem'
import {
  type ActCall,
  type DeployedPair,
  type DollarDomain,
  encodeOrder,
  findOpenSalt,
  isOrderOpen,
  nonceAtForwarder,
  type OrderPayment,
  orderHash,
  paymentAuthorization,
  requestToSign,
} from '../ledger/acts/index.ts'
import type { WalletChain } from './open-chain.ts'
import type { Signer } from './sender.ts'
import { encodeRequest, type SignedAct } from './signed-act.ts'

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

/** A call of a contract, its gas, and the last second in which it may be carried out, since 1970. */
type Priced = {
  readonly call: Pick<ActCall, 'to' | 'data'>
  readonly gas: bigint
  readonly deadline: number
}

type Forwarder = {
  readonly chainId: number
  readonly pair: Pick<DeployedPair, 'forwarder'>
  readonly client: Pick<PublicClient, 'request'>
}

/**
 * Lets an account sign a call for the forwarder (ERC-2771), with its next nonce there: calls that are
 * tried again have the same one, so one of them is carried out at most.
 *
 * @throws `ledger/unavailable`
 */
export async function signRequest(
  signer: Pick<Signer, 'address' | 'signTypedData'>,
  { call, gas, deadline }: Priced,
  { client, pair, chainId }: Forwarder,
): Promise<Omit<SignedAct, 'since'>> {
  const from = account(signer.address)
  const nonce = await nonceAtForwarder(client, pair, from)
  const request = { from, to: account(call.to), value: 0n, gas, deadline, data: call.data }
  const typed = requestToSign(chainId, pair, { ...request, nonce })
  const signature = await signer.signTypedData(typed)
  const body = encodeRequest({ ...request, signature })
  return { hash: hashTypedData(typed), body, nonce: `${nonce}`, deadline }
}
