import { account, Failure, nobody, sameAccount } from '@heirloom/core'
import type { DeployedPair } from '../contract-pair.ts'
import type { EncodedOrder } from '../orders/encode-order.ts'

/**
 * Requires that an order names an account that can get a refund or a surplus: its `refundTo`, or
 * without one its recipient. What goes to a contract of the pair, or to nobody, is lost.
 *
 * @throws `recipient/invalid`
 */
export function requireRefundee(
  { recipient, refundTo }: Pick<EncodedOrder, 'recipient' | 'refundTo'>,
  { registry, marketplace, forwarder, depositCode, dollar }: DeployedPair,
): void {
  const refundee = sameAccount(refundTo, nobody) ? recipient : refundTo
  const lost = [nobody, registry, marketplace, forwarder, depositCode, dollar]
  if (lost.every((it) => it === undefined || !sameAccount(account(it), refundee))) return
  throw new Failure('recipient/invalid', { recipient: refundee })
}
