import { type Account, type Dollars, dollars } from '@heirloom/core'
import { type Hex, type PublicClient, parseAbi } from 'viem'
import { readDollar, requireDomain } from '../deployment/dollar-probe.ts'
import { callNode } from '../node-call.ts'
import type { DollarDomain } from '../orders/payment-authorization.ts'
import { viewOf } from '../view.ts'

const abi = parseAbi(['function balanceOf(address) view returns (uint256)'])

/**
 * Returns the EIP-712 domain of a dollar, as the token itself has it, after a comparison with its
 * `DOMAIN_SEPARATOR`.
 *
 * @throws `config/invalid` if the token is not fit for prices in dollars, `ledger/unavailable`
 */
export async function dollarDomainOf(
  client: PublicClient,
  { chainId, address }: Pick<DollarDomain, 'chainId' | 'address'>,
): Promise<DollarDomain> {
  const dollar = await readDollar(client, address)
  await requireDomain(client, dollar, chainId)
  const { name, version } = dollar
  return { chainId, address: dollar.address, name, version }
}

/**
 * Returns the balance of an account in dollars.
 *
 * @throws `ledger/unavailable`
 */
export async function dollarBalanceOf(
  client: PublicClient,
  address: Hex,
  account: Account,
): Promise<Dollars> {
  const read = viewOf(client, { address, abi, name: 'balanceOf' })
  return dollars(BigInt((await callNode('balanceOf', () => read([account])))(0)))
}
