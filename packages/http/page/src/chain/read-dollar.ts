import { type Abi, domainSeparator, erc20Abi, type Hex, zeroAddress } from 'viem'
import {
  forwarderAbi,
  memoryMarketplaceAbi,
} from '../../../../adapters/src/ledger/contracts.generated.ts'
import type { DollarDomain } from '../../../../adapters/src/ledger/orders/payment-authorization.ts'
import type { Deployment } from '../../../src/client/responses.ts'
import { Problem } from '../api/problem.ts'
import { isSameAccount } from '../text/account.ts'
import { decimalsOf } from '../text/currency.ts'
import type { Provider } from '../wallet/provider.ts'
import { readOptionalView, readView } from './read-view.ts'

type Market = Pick<Deployment, 'chainId' | 'marketplace' | 'dollar'>

const view = (name: string, type: string) => ({
  ...({ type: 'function', name, stateMutability: 'view', inputs: [] } as const),
  outputs: [{ name: '', type }],
})

const domainAbi: Abi = [view('version', 'string'), view('DOMAIN_SEPARATOR', 'bytes32')]

/**
 * Reads the dollar of the contracts and the domain in which its holders sign from the chain. What the
 * server says of it is only compared.
 *
 * @throws {Problem} when there is none, or it is not what the page shows or would let a wallet sign
 */
export async function readDollar(provider: Provider, market: Market): Promise<DollarDomain> {
  const { chainId, marketplace } = market
  const abi = memoryMarketplaceAbi
  const at = { address: marketplace, abi, functionName: 'dollar' }
  const address = await readView<Hex>(provider, at)
  if (address === zeroAddress) throw refused('These contracts have no dollar.', 'dollar/missing')
  await requireShown(provider, address, market)
  const dollar = { chainId, address, ...(await readNames(provider, address)) }
  await requireDomain(provider, dollar)
  return dollar
}

/** Requires that the token is the one whose symbol and decimals the page shows. */
async function requireShown(provider: Provider, address: Hex, { dollar }: Market): Promise<void> {
  const read = (functionName: string) =>
    readView(provider, { address, abi: erc20Abi, functionName })
  const [symbol, decimals] = await Promise.all([read('symbol'), read('decimals')])
  const isNamed = isSameAccount(address, dollar?.address) && symbol === dollar?.symbol
  if (isNamed && decimals === decimalsOf.dollar) return
  throw refused('The server names another dollar than its contracts have.', 'dollar/other')
}

type Names = Pick<DollarDomain, 'name' | 'version'>

async function readNames(provider: Provider, address: Hex): Promise<Names> {
  const stated = { address, abi: forwarderAbi, functionName: 'eip712Domain' }
  const domain = await readOptionalView<readonly [Hex, string, string]>(provider, stated)
  if (domain !== undefined) return { name: domain[1], version: domain[2] }
  // USDC does not implement ERC-5267, and uses the name of the token and its version.
  const [name, version] = await Promise.all([
    readView<string>(provider, { address, abi: erc20Abi, functionName: 'name' }),
    readView<string>(provider, { address, abi: domainAbi, functionName: 'version' }),
  ])
  return { name, version }
}

async function requireDomain(provider: Provider, dollar: DollarDomain): Promise<void> {
  const { address, name, version, chainId } = dollar
  const at = { address, abi: domainAbi, functionName: 'DOMAIN_SEPARATOR' }
  const stated = await readOptionalView<Hex>(provider, at)
  const domain = { name, version, chainId, verifyingContract: address }
  if (stated === domainSeparator({ domain })) return
  throw refused(
    'The dollar signs in another domain than its name and version say.',
    'dollar/other-domain',
  )
}

const refused = (sentence: string, code: string) =>
  new Problem(sentence, 'Nothing was signed. Tell the operator of this server.', { code })
