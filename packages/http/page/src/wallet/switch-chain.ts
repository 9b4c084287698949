import { type Hex, hexToNumber } from 'viem'
import type { Deployment } from '../../../src/client/responses.ts'
import { Problem } from '../api/problem.ts'
import { connectedWallet } from './connected-wallet.ts'
import type { Provider } from './provider.ts'
import { toWalletProblem } from './to-wallet-problem.ts'
import { isWebAddress } from './web-address.ts'

/**
 * Switches the wallet to the chain of a server; an unknown chain is added first.
 *
 * @throws {Problem} when the wallet refuses, or does not know the chain and the server names no node
 */
export async function switchChain(provider: Provider, deployment: Deployment): Promise<void> {
  const chainId = `0x${deployment.chainId.toString(16)}`
  try {
    await provider
      .request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
      .catch(async (error: unknown) => {
        if (!isUnknownChain(error)) throw error
        const chain = describeChain(deployment)
        if (chain === undefined) throw unknownChain(deployment.chainId, error)
        await provider.request({ method: 'wallet_addEthereumChain', params: [chain] })
      })
    const current = (await provider.request({ method: 'eth_chainId' })) as Hex
    if (connectedWallet.value !== undefined) {
      connectedWallet.value = { ...connectedWallet.value, chainId: hexToNumber(current) }
    }
  } catch (error) {
    throw toWalletProblem(error)
  }
}

/** The code of a chain that a wallet does not know (EIP-3326). */
const unknownChainCode = 4902

type WalletError = {
  readonly code?: unknown
  readonly data?: { readonly originalError?: { readonly code?: unknown } }
}

/** Returns whether a wallet does not know a chain; some wrap that error in another one. */
function isUnknownChain(error: unknown): boolean {
  const { code, data } = (error ?? {}) as WalletError
  return code === unknownChainCode || data?.originalError?.code === unknownChainCode
}

const unknownChain = (chainId: number, cause: unknown) =>
  new Problem(
    `The wallet does not know chain ${chainId}, and this server names no public node of it.`,
    'Add that chain in the wallet, then switch to it here; or ask the operator to name a public node.',
    { code: 'chain/not-known', cause },
  )

/** A chain as wallets add it (EIP-3085). */
type ChainParameters = {
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
