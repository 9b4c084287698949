import type { EncodedOrder } from '@heirloom/adapters/internal/orders'
import { Failure, orderActs } from '@heirloom/core'
import type { Static } from '@sinclair/typebox'
import { readAddress } from '../../api/address.ts'
import type { OrderBody, RelayBody } from '../../api/schemas/relay-schemas.ts'
import type { SignedAct } from '../relay-acts.ts'

type Body = Static<typeof RelayBody>

/**
 * Reads the signed act of a body.
 *
 * @throws `request/malformed`, `value/invalid`
 */
export function readSignedAct({ request, payOrder, settle, refund }: Body): SignedAct {
  if (request !== undefined) return { kind: 'forward', request: readRequest(request) }
  if (payOrder !== undefined) return { kind: 'payOrder', payment: readPayment(payOrder) }
  if (settle !== undefined) return { kind: 'settle', settlement: readSettlement(settle) }
  if (refund !== undefined) return { kind: 'refund', refund: readRefund(refund) }
  const problem = 'must have one of: request, payOrder, settle, refund'
  throw new Failure('request/malformed', { where: 'body', problem })
}

function readRequest(request: NonNullable<Body['request']>) {
  const { from, to, value, gas, deadline, data, signature } = request
  const accounts = { from: readAddress(from), to: readAddress(to) }
  return {
    ...accounts,
    value: readNumber('value', value),
    gas: readNumber('gas', gas),
    deadline,
    data,
    signature,
  }
}

function readPayment(payment: NonNullable<Body['payOrder']>) {
  const { order, ...authorization } = payment
  return { order: readOrder(order), ...readAuthorization(authorization) }
}

function readSettlement({ order, authorization }: NonNullable<Body['settle']>) {
  if (authorization === undefined) return { order: readOrder(order) }
  const { value, nonce } = authorization
  const transfer = { value: readNumber('value', value), nonce, ...readAuthorization(authorization) }
  return { order: readOrder(order), authorization: transfer }
}

function readRefund({ order }: NonNullable<Body['refund']>) {
  const read = readOrder(order)
  return { order: read, asset: read.asset }
}

type Authorization = Omit<NonNullable<Body['payOrder']>, 'order'>

function readAuthorization({ payer, validAfter, validBefore, signature }: Authorization) {
  return {
    payer: readAddress(payer),
    validAfter: readNumber('validAfter', validAfter),
    validBefore: readNumber('validBefore', validBefore),
    signature,
  }
}

/**
 * Reads an order.
 *
 * @throws `value/invalid`
 */
export function readOrder(order: Static<typeof OrderBody>): EncodedOrder {
  const { act, salt, asset, recipient, refundTo } = order
  return {
    act: orderActs.indexOf(act),
    salt,
    asset: readAddress(asset),
    recipient: readAddress(recipient),
    refundTo: readAddress(refundTo),
    tokenId: readNumber('tokenId', order.tokenId),
    price: readNumber('price', order.price),
    numberOfDays: readNumber('numberOfDays', order.numberOfDays),
    maxRoyaltyBps: readNumber('maxRoyaltyBps', order.maxRoyaltyBps),
    deadline: readNumber('deadline', order.deadline),
  }
}

/** Reads a number below 2^256. @throws `value/invalid` */
export function readNumber(kind: string, text: string): bigint {
  const number = BigInt(text)
  if (number < 2n ** 256n) return number
  throw new Failure('value/invalid', { kind, problem: 'is less than 2^256' })
}
