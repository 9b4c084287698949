import type { Account, Hash } from '@heirloom/core'
import type { Hex, TypedDataDomain } from 'viem'
import { authorizationTypes } from './authorization-types.ts'

/** The EIP-712 domain of a dollar, in which its holders sign. */
export type DollarDomain = {
  readonly chainId: number
  readonly address: Hex
  readonly name: string
  readonly version: string
}

type Payment = {
  readonly dollar: DollarDomain
  readonly marketplace: Hex
  readonly payer: Account
  readonly orderHash: Hash
  /** In the smallest unit of the dollar. */
  readonly price: bigint
  /** The second before which the authorization may be used. */
  readonly validBefore: bigint
}

/**
 * Returns what a payer signs for an order (EIP-3009): a transfer of its price that the marketplace
 * alone can make, for that order alone, because its nonce is the hash of the order.
 */
export function paymentAuthorization({ dollar, ...payment }: Payment) {
  const { name, version, chainId, address: verifyingContract } = dollar
  const domain: TypedDataDomain = { name, version, chainId, verifyingContract }
  const { payer: from, marketplace: to, price: value, orderHash: nonce, validBefore } = payment
  return {
    domain,
    types: { ReceiveWithAuthorization: authorizationTypes.ReceiveWithAuthorization },
    primaryType: 'ReceiveWithAuthorization',
    message: { from, to, value, validAfter: 0n, validBefore, nonce },
  } as const
}
