import {
  type DollarDomain,
  type EncodedOrder,
  type OrderView,
  printOrder,
} from '@heirloom/adapters/internal/orders'
import type { SettledOrder } from '@heirloom/adapters/internal/relay'
import { networkOf, type Refusal } from './check-payment.ts'

/** The headers of x402 version 2; their values are JSON in base64. */
export const paymentHeaders = {
  required: 'payment-required',
  signature: 'payment-signature',
  response: 'payment-response',
} as const

/** The time that a client has to pay, in seconds: its authorization is valid as long. */
const timeToPay = 300

/** The paid act of a request, as its answer with status 402 describes it. */
export type Required = {
  /** The URL that was asked for. */
  readonly url: string
  readonly description: string
  readonly dollar: DollarDomain
  readonly order: EncodedOrder
  readonly view: Pick<OrderView, 'deposit'>
  readonly refusal?: Refusal | undefined
}

/** Returns the value of `PAYMENT-REQUIRED`: the order, and the address that it is paid to. */
export function encodeRequired({ url, description, dollar, order, view, refusal }: Required) {
  const { name, version } = dollar
  return encode({
    x402Version: 2,
    error: refusal === undefined ? 'PAYMENT-SIGNATURE header is required' : refusal.reason,
    resource: { url, description, mimeType: 'application/json' },
    accepts: [
      {
        scheme: 'exact',
        network: networkOf(dollar),
        amount: `${order.price}`,
        asset: dollar.address,
        payTo: view.deposit,
        maxTimeoutSeconds: timeToPay,
        // Clients send this back with their payment, so the server keeps nothing of an unpaid order.
        extra: { assetTransferMethod: 'eip3009', name, version, order: printOrder(order) },
      },
    ],
  })
}

/** Returns the value of `PAYMENT-RESPONSE` for an order that was carried out. */
export function encodeSettled(
  { txHash, payer }: Pick<SettledOrder, 'txHash' | 'payer'>,
  { dollar, amount }: { readonly dollar: DollarDomain; readonly amount: bigint },
): string {
  const paid = payer === undefined ? {} : { payer }
  const network = networkOf(dollar)
  return encode({ success: true, transaction: txHash, network, ...paid, amount: `${amount}` })
}

/** Returns the value of `PAYMENT-RESPONSE` for a payment that was tried in vain. */
export function encodeFailed({ reason }: Refusal, dollar: DollarDomain): string {
  return encode({
    success: false,
    errorReason: reason,
    transaction: '',
    network: networkOf(dollar),
  })
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64')
