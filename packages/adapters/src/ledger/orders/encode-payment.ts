import { type Account, Failure, nobody } from '@heirloom/core'
import { decodeFunctionData, encodeFunctionData, type Hex, zeroHash } from 'viem'
import { memoryMarketplaceAbi as abi } from '../contracts.generated.ts'
import type { EncodedOrder } from './encode-order.ts'

/** A signed transfer of dollars (EIP-3009) for one order, whose hash is its nonce. */
export type OrderPayment = {
  readonly order: EncodedOrder
  readonly payer: Account
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly signature: Hex
}

/** An order that is paid at its own address, and a signed transfer there that is made first. */
export type OrderSettlement = {
  readonly order: EncodedOrder
  readonly authorization?:
    | {
        readonly payer: Account
        readonly value: bigint
        readonly validAfter: bigint
        readonly validBefore: bigint
        readonly nonce: Hex
        readonly signature: Hex
      }
    | undefined
}

/** An order that was paid at its own address in vain or in excess. */
export type OrderRefund = {
  readonly order: EncodedOrder
  /** The ERC-20 token to give back. */
  readonly asset: Account
}

/** Returns the call data that pays an order and carries it out. */
export function encodePayOrder(payment: OrderPayment): Hex {
  const { order, payer, validAfter, validBefore, signature } = payment
  const args = [order, payer, validAfter, validBefore, signature] as const
  return encodeFunctionData({ abi, functionName: 'payOrder', args })
}

/** Returns the call data that carries out an order that was paid at its own address. */
export function encodeSettle({ order, authorization = none }: OrderSettlement): Hex {
  const args = [order, authorization] as const
  return encodeFunctionData({ abi, functionName: 'settle', args })
}

/**
 * Returns the order and the authorization in the call data of a settlement; an authorization of nobody
 * is absent.
 */
export function decodeSettle(data: Hex): OrderSettlement {
  const { functionName, args } = decodeFunctionData({ abi, data })
  if (functionName !== 'settle') throw new Failure('service/unexpected', {})
  const [order, { payer, ...transfer }] = args
  const encoded = { ...order, ...accountsOf(order) }
  if (payer === nobody) return { order: encoded }
  return { order: encoded, authorization: { ...transfer, payer: payer as Account } }
}

const accountsOf = ({ asset, recipient, refundTo }: Accounts<Hex>) =>
  ({ asset, recipient, refundTo }) as Accounts<Account>

type Accounts<Address extends Hex> = {
  readonly asset: Address
  readonly recipient: Address
  readonly refundTo: Address
}

/** Returns the call data that gives back what is at the address of an order. */
export function encodeRefund({ order, asset }: OrderRefund): Hex {
  return encodeFunctionData({ abi, functionName: 'refund', args: [order, asset] })
}

const none = {
  payer: nobody,
  value: 0n,
  validAfter: 0n,
  validBefore: 0n,
  nonce: zeroHash,
  signature: '0x' as Hex,
}
