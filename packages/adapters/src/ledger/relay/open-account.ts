import { type Account, Failure, type Hash, sameAccount } from '@heirloom/core'
import { type Hex, hashTypedData, keccak256 } from 'viem'
import { nonceAtForwarder, requestToSign } from '../acts/forwarded.ts'
import { callNode } from '../node-call.ts'
import type { Job } from '../nonce-lane/job.ts'
import type { OrderPayment } from '../orders/encode-payment.ts'
import { dollarDomainOf, paymentAuthorization } from '../orders/payment-authorization.ts'
import { dollarBalanceOf } from '../view.ts'
import type { ForwardRequest } from './forward-request.ts'
import { gasOfSignedCall } from './known-gas.ts'
import {
  accountFactory,
  type Creation,
  creationIn,
  encodeCreation,
  hasPasskeyAccounts,
  passkeyAddress,
} from './passkey-account.ts'
import { isSignedByPasskey } from './passkey-signature.ts'
import { type RelayParts, tryOutOrder } from './relay-orders.ts'
import type { Tries } from './tries.ts'
import { gasOfAct, type Opening, tryOut } from './try-out.ts'

/** An act that an account signed, with the signature as it came. */
type Claim = {
  readonly account: Account
  readonly signature: Hex
  /** The transaction that carries it out. */
  readonly call: { readonly operation: 'relay' | 'payOrder'; readonly to: Hex; readonly data: Hex }
  /** Returns the hash that was signed. */
  readonly hash: () => Promise<Hex>
  /** Requires that the act would succeed behind the deployment. */
  readonly tryOut: (opening: Opening) => Promise<void>
}

type Parts = RelayParts & {
  readonly tries: Tries
  readonly execute: (job: Omit<Job, 'value'>, gasOfAct: bigint) => Promise<unknown>
}

/** The gas of the try of an act with the deployment before it, on a chain in this process. */
const gasOfOpening = 1_200_000n

/**
 * Deploys the account of a passkey whose signature asks for it (ERC-6492), and that is not there yet.
 * Nothing is tried out for one that did not sign, and nothing is paid where the act would fail.
 *
 * @throws `relay/not-allowed`, `relay/not-signed`, the failure of the act, `ledger/unavailable`
 */
export async function openAccount(
  parts: Parts,
  claim: Claim,
  { budgets, client }: Pick<Job, 'budgets'> & { readonly client?: string | undefined },
): Promise<void> {
  const { account, call, tryOut } = claim
  const creation = creationIn(claim.signature)
  if (creation === undefined) return
  if (await callNode('eth_getCode', () => parts.client.getCode({ address: account }))) return
  await requireSigned(parts, claim, creation)
  const data = encodeCreation(creation.publicKey)
  const opening = { after: data, gas: gasOfSignedCall(call, parts) }
  await parts.tries({ client, gas: parts.isLocal ? gasOfOpening : undefined }, () =>
    tryOut(opening),
  )
  const idempotency = { key: `account ${account}`, fingerprint: keccak256(data) }
  const to = accountFactory.address
  const job = { operation: 'openAccount', to, data, budgets, idempotency } as const
  await parts.execute(job, await gasOfAct(parts, call, opening))
}

/** Requires that an account is that of a passkey, which signed for it; runs no code of strangers. */
async function requireSigned(
  { client, chainId }: Parts,
  { account, hash }: Claim,
  creation: Creation,
): Promise<void> {
  if (!(await hasPasskeyAccounts(client))) throw withoutAccounts()
  const isTheirs = sameAccount(account, passkeyAddress(creation.publicKey))
  const isSigned = async () => isSignedByPasskey(creation, { chainId, account, hash: await hash() })
  if (!isTheirs || !(await isSigned())) throw new Failure('relay/not-signed', { account })
}

type Carried = Pick<Claim, 'call' | 'signature'>

/** Returns the claim of a request whose signature came wrapped. */
export const claimOfRequest = (
  parts: RelayParts,
  request: ForwardRequest,
  carried: Carried,
): Claim => ({
  ...carried,
  account: request.from,
  hash: () => hashOfRequest(parts, request),
  tryOut: (opening) => tryOut(parts, request, opening),
})

/** Returns the claim of a payment for an order. */
export const claimOfPayment = (
  parts: RelayParts,
  payment: OrderPayment,
  { orderHash, ...carried }: Carried & { readonly orderHash: Hash },
): Claim => ({
  ...carried,
  account: payment.payer,
  hash: () => hashOfPayment(parts, payment, orderHash),
  tryOut: (opening) => tryOutOrder(parts, carried.call.data, opening),
})

/** Returns the hash that the account of a request signs for its next nonce. @throws `ledger/unavailable` */
async function hashOfRequest(parts: RelayParts, request: ForwardRequest): Promise<Hex> {
  const { client, chainId, contracts } = parts
  const nonce = await nonceAtForwarder(client, contracts, request.from)
  return hashTypedData(requestToSign(chainId, contracts, { ...request, nonce }))
}

/**
 * Requires that the payer of an order has its price, and returns the hash that the payer signs.
 *
 * @throws `relay/failed`, `ledger/unavailable`
 */
async function hashOfPayment(
  { client, chainId, contracts: { marketplace, dollar: address } }: RelayParts,
  { payer, order: { price }, validBefore }: OrderPayment,
  orderHash: Hash,
): Promise<Hex> {
  const isPaid = address && (await dollarBalanceOf(client, address, payer)) >= price
  if (!isPaid) throw new Failure('relay/failed', { reason: 'the payer has too few dollars' })
  const dollar = await dollarDomainOf(client, { chainId, address })
  const payment = { dollar, marketplace, payer, orderHash, price, validBefore }
  return hashTypedData(paymentAuthorization(payment))
}

const withoutAccounts = () =>
  new Failure('relay/not-allowed', {
    problem: 'this chain has no passkey accounts whose code the server knows',
  })
