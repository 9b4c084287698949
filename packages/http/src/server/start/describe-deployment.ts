import { ether, knownChains, type NativeCurrency } from '@heirloom/adapters/contracts'
import { type Account, account } from '@heirloom/core'
import type { Config } from '../../config/config.ts'
import { readMovedTokens } from '../moved-tokens.ts'
import type { OpenChain } from '../open-chain.ts'
import type { Deployment } from '../operations/deployment.ts'

/** Returns what a server tells of its chain, its contracts and its agent wallet. */
function describeDeployment(
  { chainId, contracts, dollar, rpc }: OpenChain,
  { chain, publicChain }: Pick<Config, 'chain' | 'publicChain'>,
  agent: Account,
): Deployment {
  const name = chain.kind === 'embedded' ? 'Heirloom embedded chain' : knownChains[chainId]?.name
  return {
    chainId,
    agent,
    dollar,
    registry: account(contracts.registry),
    marketplace: account(contracts.marketplace),
    forwarder: account(contracts.forwarder),
    depositCode: account(contracts.depositCode),
    nativeCurrency: nativeCurrencyOf(chainId, publicChain.nativeSymbol),
    publicChain: { ...publicChain, name: publicChain.name ?? name },
    hasOwnRpc: rpc !== undefined,
  }
}

type Served = {
  readonly chain: OpenChain
  readonly config: Config
  /** The data folder. */
  readonly folder: string
}

/** Returns the contracts of a server, and the tokens that were carried over to them. */
export function deploymentOf({ chain, config, folder }: Served, agent: Account) {
  const deployment = describeDeployment(chain, config, agent)
  const { chainId, registry: address } = deployment
  return { deployment, moved: readMovedTokens(folder, { chainId, address }) }
}

/** Returns the native currency of a chain: the one with the symbol of the settings, or the well-known one. */
function nativeCurrencyOf(chainId: number, symbol: string | undefined): NativeCurrency {
  const known = knownChains[chainId]?.nativeCurrency ?? ether
  return symbol === undefined || symbol === known.symbol ? known : { name: symbol, symbol }
}
