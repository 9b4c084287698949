import type { ForwardRequest, OrderPayment } from '@heirloom/adapters/internal/acts'
import { account, type Hex } from '@heirloom/core'
import { printPayment } from '../api/print-order.ts'
import type { ReadonlyStatic } from '../api/readonly-static.ts'
import type { RelayBody } from '../api/relay-schemas.ts'

/** The body of `POST /api/relay`: a call, or an order with its payment. */
export type RelayRequest = Pick<ReadonlyStatic<typeof RelayBody>, 'request' | 'payOrder'>

/**
 * A call or an order that the account signed, for a server to relay. It is JSON: store it before it is
 * sent, and pass it to `confirm` after a restart.
 */
export type SignedAct = {
  /** The hash of what was signed: of the request, or of the order (EIP-712). */
  readonly hash: Hex
  readonly body: RelayRequest
  /** The nonce of a call at the forwarder; absent for an order. */
  readonly nonce?: string
  /** The last second in which it can be carried out, since 1970. */
  readonly deadline: number
  /** The height of the chain when it was signed. */
  readonly since: string
}

/** Encodes a call for the relay. */
export const encodeRequest = ({ value, gas, ...request }: ForwardRequest): RelayRequest => ({
  request: { ...request, value: `${value}`, gas: `${gas}` },
})

/** Decodes a call for the relay. */
export const decodeRequest = ({
  from,
  to,
  value,
  gas,
  ...request
}: NonNullable<RelayRequest['request']>): ForwardRequest => ({
  ...{ ...request, from: account(from), to: account(to) },
  ...{ value: BigInt(value), gas: BigInt(gas) },
})

/** Encodes an order and its payment for the relay. */
export const encodePayment = (payment: OrderPayment): RelayRequest => ({
  payOrder: printPayment(payment),
})
