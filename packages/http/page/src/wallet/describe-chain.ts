import type { Deployment } from '../../../src/client/responses.ts'
import { isWebAddress } from './web-address.ts'

/** A chain as wallets add it (EIP-3085). */
export type ChainParameters = {
  readonly chainId: `0x${string}`
  readonly chainName: string
  readonly rpcUrls: readonly string[]
  readonly nativeCurrency: {
    readonly name: string
    readonly symbol: string
    readonly decimals: number
  }
  readonly blockExplorerUrls?: readonly string[]
}

type Chain = Pick<Deployment, 'chainId'> &
  Partial<Pick<Deployment, 'rpcUrl' | 'chainName' | 'explorerUrl' | 'nativeCurrency'>>

/**
 * Describes the chain of a server for a wallet; `undefined` when the server names no node that a
 * wallet may use: a wallet keeps a node that does not answer, and then works no more on that chain.
 */
export function describeChain({
  chainId,
  rpcUrl,
  chainName,
  explorerUrl,
  nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 },
}: Chain): ChainParameters | undefined {
  if (rpcUrl == null || !isWebAddress(rpcUrl)) return undefined
  return {
    chainId: `0x${chainId.toString(16)}`,
    chainName: chainName ?? `Chain ${chainId}`,
    rpcUrls: [rpcUrl],
    nativeCurrency,
    ...(explorerUrl != null && isWebAddress(explorerUrl) && { blockExplorerUrls: [explorerUrl] }),
  }
}
