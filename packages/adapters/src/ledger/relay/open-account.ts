import { type Account, Failure, type Hash, sameAccount } from '@heirloom/core'
import { type Hex, hashTypedData, keccak256 } from 'viem'
import { nonceAtForwarder, requestToSign } from '../acts/forwarded.ts'
import { callNode } from '../node-call.ts'
import type { Job } from '../nonce-lane/job.ts'
import type { OrderPayment } from '../orders/encode-payment.ts'
import { dollarDomainOf, paymentAuthorization } from '../orders/payment-authorization.ts'
import { isSignedUndeployed } from '../signatures/contract-signature-check.ts'
import { dollarBalanceOf } from '../view.ts'
import type { ForwardRequest } from './forward-request.ts'
import {
  accountFactory,
  creationIn,
  encodeCreation,
  hasPasskeyAccounts,
  passkeyAddress,
} from './passkey-account.ts'
import type { RelayParts } from './relay-orders.ts'
import type { Tries } from './tries.ts'
import { tryOutCall } from './try-out.ts'

/** An act that an account signed, with the signature as it came. */
type Claim = {
  readonly account: Account
  readonly signature: Hex
  /** Requires that the act would succeed but for the signature, and returns the hash that was signed. */
  readonly requireAct: () => Promise<Hex>
}

type Parts = RelayParts & {
  readonly tries: Tries
  readonly execute: (job: Omit<Job, 'value'>) => Promise<unknown>
}

/** The gas of the check of a signature with the deployment before it, on a chain in this process. */
const gasOfOpening = 1_200_000n

/**
 * Deploys the account of a passkey whose signature asks for it (ERC-6492), and that is not there yet.
 * Nothing is paid for one that did not sign, or whose act would fail.
 *
 * @throws `relay/not-allowed`, `relay/not-signed`, the failure of the act, `ledger/unavailable`
 */
export async function openAccount(
  parts: Parts,
  { account, signature, requireAct }: Claim,
  { budgets, client }: Pick<Job, 'budgets'> & { readonly client?: string | undefined },
): Promise<void> {
  const creation = creationIn(signature)
  if (creation === undefined) return
  if (await callNode('eth_getCode', () => parts.client.getCode({ address: account }))) return
  const { publicKey } = creation
  await parts.tries({ client, gas: parts.isLocal ? gasOfOpening : undefined }, async () => {
    if (!(await hasPasskeyAccounts(parts.client))) throw withoutAccounts()
    const isTheirs = sameAccount(account, await passkeyAddress(parts.client, publicKey))
    const claim = { account, hash: await requireAct(), signature }
    if (isTheirs && (await isSignedUndeployed(parts.client, claim))) return
    throw new Failure('relay/not-signed', { account })
  })
  const data = encodeCreation(publicKey)
  const idempotency = { key: `account ${account}`, fingerprint: keccak256(data) }
  const to = accountFactory.address
  await parts.execute({ operation: 'openAccount', to, data, budgets, idempotency })
}

/**
 * Requires that the call of a request would succeed, and returns the hash that its account signs.
 *
 * @throws `relay/failed`, the failure that a contract names, `ledger/unavailable`
 */
export async function hashOfRequest(parts: RelayParts, request: ForwardRequest): Promise<Hex> {
  const { client, chainId, contracts } = parts
  await tryOutCall(parts, request)
  const nonce = await nonceAtForwarder(client, contracts, request.from)
  return hashTypedData(requestToSign(chainId, contracts, { ...request, nonce }))
}

/**
 * Requires that the payer of an order has its price, and returns the hash that the payer signs.
 *
 * @throws `relay/failed`, `ledger/unavailable`
 */
export async function hashOfPayment(
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
