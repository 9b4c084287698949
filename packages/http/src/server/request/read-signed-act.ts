import type { EncodedOrder } from '@heirloom/adapters/internal/orders'
import { Failure, orderActs } from '@heirloom/core'
import type { Static } from '@sinclair/typebox'
import { readAddress } from '../../api/address.ts'
import type { RelayBody } from '../../api/relay-schemas.ts'
import type { SignedAct } from '../relay-acts.ts'

type Body = Static<typeof RelayBody>

/**
 * Reads the signed act of a body.
 *
 * @throws `request/malformed`, `value/invalid`
 */
export function readSignedAct({ request, payOrder, settle }: Body): SignedAct {
  if (request !== undefined) return { kind: 'forward', request: readRequest(request) }
  if (payOrder !== undefined) return { kind: 'payOrder', payment: readPayment(payOrder) }
  if (settle !== undefined) return { kind: 'settle', settlement: readSettlement(settle) }
  const problem = 'must have one of: request, payOrder, settle'
  throw new Failure('request/malformed', { where: 'body', problem })
}

function readRequest(request: NonNullable<Body['request']>) {
  const { from, to, value, gas, deadline, data, signature } = request
  const accounts = { from: readAddress(from), to: readAddress(to) }
  return {
    ...accounts,
    ...{
      value: readNumber('value', value),
      gas: readNumber('gas', gas),
      deadline,
      data,
      signature,
    },
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

type Authorization = Omit<NonNullable<Body['payOrder']>, 'order'>

function readAuthorization({ payer, validAfter, validBefore, signature }: Authorization) {
  return {
    payer: readAddress(payer),
    validAfter: readNumber('validAfter', validAfter),
    validBefore: readNumber('validBefore', validBefore),
    signature,
  }
}

function readOrder(order: NonNullable<Body['payOrder']>['order']): EncodedOrder {
  const { act, salt, asset, recipient, refundTo } = order
  return {
    ...{ act: orderActs.indexOf(act), salt, asset: readAddress(asset) },
    ...{ recipient: readAddress(recipient), refundTo: readAddress(refundTo) },
    tokenId: readNumber('tokenId', order.tokenId),
    price: readNumber('price', order.price),
    numberOfDays: readNumber('numberOfDays', order.numberOfDays),
    maxRoyaltyBps: readNumber('maxRoyaltyBps', order.maxRoyaltyBps),
    deadline: readNumber('deadline', order.deadline),
  }
}

function readNumber(kind: string, text: string): bigint {
  const number = BigInt(text)
  if (number < 2n ** 256n) return number
  throw new Failure('value/invalid', { kind, problem: 'is less than 2^256' })
}
