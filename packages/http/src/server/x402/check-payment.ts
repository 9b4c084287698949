import type { DollarDomain, OrderReads, OrderView } from '@heirloom/adapters/internal/orders'
import { type Clock, sameAccount, toSeconds } from '@heirloom/core'
import type { Payment } from './payment.ts'

/** Returns the name of the chain of a dollar (CAIP-2), as x402 has it. */
export const networkOf = ({ chainId }: Pick<DollarDomain, 'chainId'>): `eip155:${number}` =>
  `eip155:${chainId}`

/** Why a payment is not used: an error code of x402, and a sentence. */
export type Refusal = { readonly reason: string; readonly problem: string }

const refusal = (reason: string, problem: string): Refusal => ({ reason, problem })
const prefix = 'invalid_exact_evm_payload'

const requirements = 'invalid_payment_requirements'

/** Why a payment is not used although it may be a right one. */
export const refusals = {
  otherOrder: refusal(requirements, 'it is for another order than that of this URL'),
  otherTerms: refusal(requirements, 'the terms have changed since, or the order is closed'),
}

type CheckParts = {
  readonly orders: Pick<OrderReads, 'funds' | 'isSigned'>
  readonly clock: Pick<Clock, 'now'>
  readonly dollar: DollarDomain
}

/** The shortest time that an authorization must be valid still, in seconds. */
const leastTime = 5n

/** Returns why a payment is not for an order of this server; `undefined` if it is. */
export function findForeign(
  { scheme, network, order, authorization }: Payment,
  { dollar, deposit }: Pick<CheckParts, 'dollar'> & Pick<OrderView, 'deposit'>,
): Refusal | undefined {
  if (scheme !== 'exact') return refusal('invalid_scheme', 'only the scheme exact is taken')
  const own = networkOf(dollar)
  if (network !== own) return refusal('invalid_network', `the contracts are on ${own}`)
  if (order.asset.toLowerCase() !== dollar.address.toLowerCase()) {
    return refusal(requirements, `the dollar is ${dollar.address}`)
  }
  if (sameAccount(authorization.to, deposit)) return undefined
  return refusal(
    `${prefix}_recipient_mismatch`,
    'it goes to another address than that of its order',
  )
}

/** Returns why a payment does not pay its open order; `undefined` if it does. */
export async function findFlaw(
  parts: CheckParts,
  { order, authorization }: Payment,
  view: Pick<OrderView, 'balance'>,
): Promise<Refusal | undefined> {
  const { isSpent, balance } = await parts.orders.funds(authorization)
  // Somebody who saw it may have used it early: the money is at the address of the order then.
  if (view.balance >= order.price) return undefined
  if (isSpent) return refusal('invalid_transaction_state', 'it was used or cancelled before')
  const flaw = findTimeFlaw(parts, authorization)
  if (flaw !== undefined) return flaw
  if (authorization.value + view.balance < order.price) {
    return refusal(`${prefix}_authorization_value_mismatch`, `the price is ${order.price}`)
  }
  if (balance < authorization.value) {
    return refusal('insufficient_funds', `${authorization.payer} has only ${balance}`)
  }
  if ((await parts.orders.isSigned(authorization, parts.dollar)) !== false) return undefined
  return refusal(`${prefix}_signature`, `${authorization.payer} did not sign it`)
}

function findTimeFlaw(
  { clock }: Pick<CheckParts, 'clock'>,
  { validAfter, validBefore }: Payment['authorization'],
): Refusal | undefined {
  const now = BigInt(toSeconds(clock.now()))
  if (validAfter > now) {
    return refusal(`${prefix}_authorization_valid_after`, 'it is not valid yet')
  }
  if (validBefore > now + leastTime) return undefined
  return refusal(`${prefix}_authorization_valid_before`, 'it is not valid long enough')
}
