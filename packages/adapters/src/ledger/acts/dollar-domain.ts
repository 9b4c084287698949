import type { PublicClient } from 'viem'
import { readDollar, requireDomain } from '../deployment/dollar-probe.ts'
import type { DollarDomain } from '../orders/payment-authorization.ts'

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
