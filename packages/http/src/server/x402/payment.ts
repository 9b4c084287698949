import type {
  Authorization,
  EncodedOrder,
  OrderSettlement,
  OrderView,
} from '@heirloom/adapters/internal/orders'
import { Failure } from '@heirloom/core'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { readAddress } from '../../api/address.ts'
import { PaymentPayload } from '../../api/schemas/x402-schemas.ts'
import { readNumber, readOrder } from '../request/read-signed-act.ts'

/** A payment of the scheme `exact`, with the order that it accepted. */
export type Payment = {
  readonly scheme: string
  readonly network: string
  readonly order: EncodedOrder
  readonly authorization: Authorization
}

/** Returns how a payment settles its order; one that was paid already needs no more. */
export const settlementOf = (
  { order, authorization }: Pick<Payment, 'order'> & Partial<Payment>,
  { balance }: Pick<OrderView, 'balance'>,
): OrderSettlement => (balance >= order.price ? { order } : { order, authorization })

/** The longest header that is read, in characters. */
const longest = 24_576

const Versioned = Type.Object({ x402Version: Type.Literal(2) })

/**
 * Reads the header `PAYMENT-SIGNATURE` (x402 version 2).
 *
 * @throws `payment/malformed`, `value/invalid`
 */
export function readPayment(header: string): Payment {
  const payload = decode(header)
  if (!Value.Check(Versioned, payload)) throw malformed('its x402Version is not 2')
  if (!Value.Check(PaymentPayload, payload)) throw malformed(problemIn(payload))
  const { scheme, network, extra } = payload.accepted
  return { scheme, network, order: readOrder(extra.order), authorization: readTransfer(payload) }
}

function readTransfer({ payload }: Static<typeof PaymentPayload>): Authorization {
  const { signature, authorization } = payload
  const { from, to, nonce } = authorization
  return {
    payer: readAddress(from),
    to: readAddress(to),
    value: readNumber('value', authorization.value),
    validAfter: readNumber('validAfter', authorization.validAfter),
    validBefore: readNumber('validBefore', authorization.validBefore),
    ...({ nonce, signature } as Pick<Authorization, 'nonce' | 'signature'>),
  }
}

function decode(header: string): unknown {
  if (header.length > longest) throw malformed(`it is longer than ${longest} characters`)
  // Node joins repeated headers by a comma, which is in no base64.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(header)) throw malformed('it is not base64')
  try {
    return JSON.parse(Buffer.from(header, 'base64').toString())
  } catch {
    throw malformed('it is not JSON in base64')
  }
}

function problemIn(payload: unknown): string {
  const [first] = Value.Errors(PaymentPayload, payload)
  return `${first?.path.slice(1, 100) || 'it'} is missing or wrong`
}

const malformed = (problem: string) => new Failure('payment/malformed', { problem })
