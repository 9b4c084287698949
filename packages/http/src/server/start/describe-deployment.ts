import { ether, knownChains, type NativeCurrency } from '@heirloom/adapters/contracts'
import { type Account, account } from '@heirloom/core'
import type { Config } from '../../config/config.ts'
import type { OpenChain } from '../open-chain.ts'
import type { Deployment } from '../routes/deployment.ts'

/** Returns what a server tells of its chain, its contracts and its agent wallet. */
export function describeDeployment(
  { chainId, contracts, dollar, rpc }: OpenChain,
  { chain, publicChain }: Pick<Config, 'chain' | 'publicChain'>,
  agent: Account,
): Deployment {
  const name = chain.kind === 'embedded' ? 'Heirloom embedded chain' : knownChains[chainId]?.name
  return {
    ...{ chainId, agent, dollar },
    registry: account(contracts.registry),
    marketplace: account(contracts.marketplace),
    forwarder: account(contracts.forwarder),
    depositCode: account(contracts.depositCode),
    nativeCurrency: nativeCurrencyOf(chainId, publicChain.nativeSymbol),
    publicChain: { ...publicChain, name: publicChain.name ?? name },
    hasOwnRpc: rpc !== undefined,
  }
}

/** Returns the native currency of a chain: the one with the symbol of the settings, or the well-known one. */
function nativeCurrencyOf(chainId: number, symbol: string | undefined): NativeCurrency {
  const known = knownChains[chainId]?.nativeCurrency ?? ether
  return symbol === undefined || symbol === known.symbol ? known : { name: symbol, symbol }
}
