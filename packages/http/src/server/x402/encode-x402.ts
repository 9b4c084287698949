import {
  type DollarDomain,
  type EncodedOrder,
  type OrderView,
  printOrder,
} from '@heirloom/adapters/internal/orders'
import type { SettledOrder } from '@heirloom/adapters/internal/relay'
import type { OrderAct } from '@heirloom/core'
import { zeroAddress } from 'viem'
import { paidActQueries } from '../../api/schemas/x402-schemas.ts'
import { networkOf, type Refusal } from './check-payment.ts'

/** The headers of x402 version 2; their values are JSON in base64. */
export const paymentHeaders = {
  required: 'payment-required',
  signature: 'payment-signature',
  response: 'payment-response',
} as const

/** The time that a client has to pay, in seconds: its authorization is valid as long. */
const timeToPay = 300

/** The thing that is paid for: an order at its own address, or the price of one that lacks something. */
export type Priced =
  | { readonly order: EncodedOrder; readonly view: Pick<OrderView, 'deposit'> }
  | { readonly price: bigint }

/** The paid act of a request, as its answer with status 402 describes it. */
export type Required = {
  readonly act: OrderAct
  /** The URL that was asked for. */
  readonly url: string
  readonly description: string
  readonly dollar: DollarDomain
  readonly priced: Priced
  /** Why the request is not carried out. */
  readonly error: string
  /** The members of the extension `sign-in-with-x`; absent where nobody is let in so. */
  readonly signIn?: object | undefined
}

/** Returns the value of `PAYMENT-REQUIRED`: what to pay, and how to ask for it. */
export function encodeRequired({ act, url, dollar, priced, error, ...it }: Required) {
  const terms = encodeTerms(dollar, priced)
  return encode({
    x402Version: 2,
    error,
    resource: { url, description: it.description, mimeType: 'application/json', ...service },
    accepts: [terms],
    extensions: {
      // What nobody can pay for is no entry of an index.
      ...(terms.amount !== '0' && { bazaar: encodeDiscovery(act) }),
      ...(it.signIn !== undefined && { 'sign-in-with-x': it.signIn }),
    },
  })
}

/** The service that sells, as the index of a facilitator names it. */
export const service = { serviceName: 'Heirloom', tags: ['agent-memory'] }

/**
 * Returns the terms of a payment. What lacks an order is paid to the zero address, which no dollar can
 * be sent to: a payer who signs for it all the same loses nothing.
 */
export function encodeTerms(dollar: DollarDomain, priced: Priced) {
  const { name, version, address: asset } = dollar
  const isComplete = 'order' in priced
  return {
    scheme: 'exact',
    network: networkOf(dollar),
    amount: `${isComplete ? priced.order.price : priced.price}`,
    asset,
    payTo: isComplete ? priced.view.deposit : zeroAddress,
    maxTimeoutSeconds: timeToPay,
    extra: {
      assetTransferMethod: 'eip3009',
      name,
      version,
      // Clients send this back with their payment, so the server keeps nothing of an unpaid order.
      ...(isComplete && { order: printOrder(priced.order) }),
    },
  }
}

/** Returns the extension `bazaar`, which describes the input of an act to those that index it. */
export function encodeDiscovery(act: OrderAct) {
  const { properties, required } = paidActQueries[act]
  const examples = required.map((name) => {
    const { examples: [example] = [] } = properties[name as keyof typeof properties]
    return [name, example]
  })
  const input = { type: 'http', method: 'GET', queryParams: Object.fromEntries(examples) }
  return { info: { input, output: { type: 'json' } }, schema: schemaOf(act) }
}

/** Returns the schema of the members of `bazaar` (JSON Schema 2020-12), as short as a header must be. */
function schemaOf(act: OrderAct) {
  const { properties, required } = paidActQueries[act]
  const texts = Object.entries(properties).map(([name, { pattern }]) => [
    name,
    required.some((it) => it === name) ? { type: 'string', pattern } : { type: 'string' },
  ])
  const query = { type: 'object', properties: Object.fromEntries(texts), required }
  const input = {
    type: 'object',
    properties: { type: { const: 'http' }, method: { enum: ['GET'] }, queryParams: query },
    required: ['type', 'method'],
    additionalProperties: false,
  }
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  const output = { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] }
  return { $schema, type: 'object', properties: { input, output }, required: ['input'] }
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
