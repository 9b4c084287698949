import {
  type Account,
  type Hash,
  hash,
  nobody,
  type Order,
  orderActs,
  toSeconds,
} from '@heirloom/core'
import { concatHex, getCreate2Address, type Hex, hashTypedData } from 'viem'
import type { DeployedPair } from '../contract-pair.ts'

/** The EIP-712 type of an order. */
export const orderTypes = {
  Order: [
    { name: 'act', type: 'uint8' },
    { name: 'tokenId', type: 'uint256' },
    { name: 'asset', type: 'address' },
    { name: 'price', type: 'uint256' },
    { name: 'recipient', type: 'address' },
    { name: 'numberOfDays', type: 'uint256' },
    { name: 'maxRoyaltyBps', type: 'uint256' },
    { name: 'refundTo', type: 'address' },
    { name: 'deadline', type: 'uint256' },
    { name: 'salt', type: 'bytes32' },
  ],
} as const

/** The marketplace that carries out an order, and its chain. */
export type OrderDomain = { readonly chainId: number; readonly marketplace: Hex }

/** An order as the contracts take it. */
export type EncodedOrder = {
  /** The index of the act in `orderActs`. */
  readonly act: number
  readonly tokenId: bigint
  readonly asset: Account
  /** In the smallest unit of the dollar. */
  readonly price: bigint
  readonly recipient: Account
  readonly numberOfDays: bigint
  readonly maxRoyaltyBps: bigint
  /** The zero address means the recipient. */
  readonly refundTo: Account
  /** In seconds since 1970. */
  readonly deadline: bigint
  readonly salt: Hex
}

/** Encodes an order for the contracts. */
export function encodeOrder(order: Order): EncodedOrder {
  return {
    act: orderActs.indexOf(order.act),
    tokenId: order.tokenId,
    asset: order.asset,
    price: order.price,
    recipient: order.recipient,
    numberOfDays: BigInt(order.days),
    maxRoyaltyBps: BigInt(order.maxRoyaltyBps),
    refundTo: order.refundTo ?? nobody,
    deadline: BigInt(toSeconds(order.deadline)),
    salt: order.salt,
  }
}

/**
 * Returns the hash of an order (EIP-712), as `hashOf` of the contracts does. An authorization whose
 * nonce it is pays that order and nothing else.
 */
export const orderHash = (order: Order, domain: OrderDomain): Hash =>
  encodedOrderHash(encodeOrder(order), domain)

/** Returns the hash of an encoded order, as `orderHash` does. */
export function encodedOrderHash(order: EncodedOrder, { chainId, marketplace }: OrderDomain): Hash {
  const domain = { name: 'Heirloom Marketplace', version: '1', chainId } as const
  return hash(
    hashTypedData({
      domain: { ...domain, verifyingContract: marketplace },
      types: orderTypes,
      primaryType: 'Order',
      message: order,
    }),
  )
}

/**
 * Returns the address that an order is paid to, as `depositOf` of the contracts does: that of a
 * minimal proxy (ERC-1167) of the deposit code, which the marketplace creates with the hash of the
 * order as salt (EIP-1014).
 */
export function depositAddress(
  orderHash: Hash,
  { marketplace, depositCode }: Pick<DeployedPair, 'marketplace' | 'depositCode'>,
): Account {
  const bytecode = concatHex([proxyHead, depositCode, proxyTail])
  return getCreate2Address({ from: marketplace, salt: orderHash, bytecode }) as Account
}

// The creation code of OpenZeppelin's `Clones`, before and after the address of the code.
const proxyHead = '0x3d602d80600a3d3981f3363d3d373d3d3d363d73'
const proxyTail = '0x5af43d82803e903d91602b57fd5bf3'
