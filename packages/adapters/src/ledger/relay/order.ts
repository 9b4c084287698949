import { type Account, Failure, nobody } from '@heirloom/core'
import { encodeFunctionData, type Hex } from 'viem'
import { memoryMarketplaceAbi as abi } from '../contracts.generated.ts'

/** The acts of orders, in the order of the contract's numbers. */
export const orderActs = ['buy', 'rent', 'fork', 'royalty'] as const

/** An act in dollars, as it is paid and signed. */
export type Order = {
  readonly act: (typeof orderActs)[number]
  readonly tokenId: bigint
  readonly asset: Account
  /** In the smallest unit of the dollar. */
  readonly price: bigint
  readonly recipient: Account
  readonly numberOfDays: bigint
  readonly maxRoyaltyBps: bigint
  readonly refundTo: Account
  /** In seconds since 1970. */
  readonly deadline: bigint
  readonly salt: Hex
}

/** A signed transfer of dollars (EIP-3009) for one order, whose hash is its nonce. */
export type OrderPayment = {
  readonly order: Order
  readonly payer: Account
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly signature: Hex
}

/** An order that is paid at its own address, and a signed transfer there that is made first. */
export type OrderSettlement = {
  readonly order: Order
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

/** Returns the call data that pays an order and carries it out. */
export function encodePayOrder(payment: OrderPayment): Hex {
  const { order, payer, validAfter, validBefore, signature } = payment
  const args = [encodable(order), payer, validAfter, validBefore, signature] as const
  return encodeFunctionData({ abi, functionName: 'payOrder', args })
}

/** Returns the call data that carries out an order that was paid at its own address. */
export function encodeSettle({ order, authorization = none }: OrderSettlement): Hex {
  const args = [encodable(order), authorization] as const
  return encodeFunctionData({ abi, functionName: 'settle', args })
}

const zero: Hex = `0x${'0'.repeat(64)}`

const none = {
  ...{ payer: nobody, value: 0n, validAfter: 0n, validBefore: 0n },
  ...{ nonce: zero, signature: '0x' as Hex },
}

const encodable = (order: Order) => ({ ...order, act: orderActs.indexOf(order.act) })

/**
 * Requires that an order costs enough to be worth its gas.
 *
 * @throws `relay/underpriced`
 */
export function requirePrice({ price }: Order, least: bigint): void {
  if (price < least)
    throw new Failure('relay/underpriced', { price: `${price}`, least: `${least}` })
}
