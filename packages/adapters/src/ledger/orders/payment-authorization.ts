import type { Account, Hash } from '@heirloom/core'
import type { Hex, PublicClient, TypedDataDomain } from 'viem'
import { type Dollar, readDollar, requireDomain, unfit } from '../deployment/read-dollar.ts'

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

const fields = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

/** The EIP-712 types of the transfers that a holder of dollars signs (EIP-3009). */
export const authorizationTypes = {
  TransferWithAuthorization: fields,
  ReceiveWithAuthorization: fields,
} as const

/**
 * Returns a dollar and the EIP-712 domain in which its holders sign, as the token itself has it, after a
 * comparison with its `DOMAIN_SEPARATOR`.
 *
 * @throws `config/invalid` if the token is not fit for prices in dollars, or does not state its domain,
 * `ledger/unavailable`
 */
export async function dollarDomainOf(
  client: Pick<PublicClient, 'request'>,
  { chainId, address }: Pick<DollarDomain, 'chainId' | 'address'>,
): Promise<DollarDomain & Dollar> {
  const dollar = await readDollar(client, address)
  if (await requireDomain(client, dollar, chainId)) return { chainId, ...dollar }
  throw unfit(dollar.address, 'does not state its EIP-712 domain')
}
