import type { PublicClient } from 'viem'
import { type Dollar, readDollar, requireDomain, unfit } from '../deployment/read-dollar.ts'
import type { DollarDomain } from '../orders/payment-authorization.ts'

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
