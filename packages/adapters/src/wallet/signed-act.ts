import { account, type Hex, type orderActs } from '@heirloom/core'
import type { ForwardRequest, OrderPayment } from '../ledger/acts/index.ts'
import { printPayment } from '../ledger/orders/print-order.ts'

type Texts<name extends string> = Readonly<Record<name, string>>

/** The body of a request to a relay, as JSON: a call, or an order with its payment. */
export type RelayRequest = {
  readonly request?: Texts<'from' | 'to' | 'value' | 'gas'> & {
    readonly deadline: number
    readonly data: Hex
    readonly signature: Hex
  }
  readonly payOrder?: Texts<'payer' | 'validAfter' | 'validBefore'> & {
    readonly order: Texts<'tokenId' | 'asset' | 'price' | 'recipient' | 'numberOfDays'> &
      Texts<'maxRoyaltyBps' | 'refundTo' | 'deadline'> & {
        readonly act: (typeof orderActs)[number]
        readonly salt: Hex
      }
    readonly signature: Hex
  }
}

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
  ...request,
  from: account(from),
  to: account(to),
  value: BigInt(value),
  gas: BigInt(gas),
})

/** Encodes an order and its payment for the relay. */
export const encodePayment = (payment: OrderPayment): RelayRequest => ({
  payOrder: printPayment(payment),
})
