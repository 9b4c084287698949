import { useState } from 'preact/hooks'
import { type Hex, hexToNumber } from 'viem'
import type { Deployment } from '../../../src/client/responses.ts'
import { deployment } from '../api/deployment.ts'
import { Problem, toProblem } from '../api/problem.ts'
import { isWebAddress } from '../parts/explorer-link.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { ButtonLine } from '../parts/section.tsx'
import { connectedWallet, type Provider } from './connected-wallet.ts'
import { toWalletProblem } from './to-wallet-problem.ts'

/** A refusal to switch, and the chain of the wallet then; after another switch it is old. */
type Refusal = { readonly problem: Problem; readonly chainId: number }

/** Shows that the wallet is on another chain than the server, and a button to switch it. */
export function WrongChain(): JSX.Element | undefined {
  const [refusal, setRefusal] = useState<Refusal>()
  const wallet = connectedWallet.value
  const required = deployment.value
  if (wallet === undefined || required === undefined) return undefined
  const change = () => {
    setRefusal(undefined)
    switchChain(wallet.provider, required).catch((error: unknown) =>
      setRefusal({ problem: toProblem(error), chainId: wallet.chainId }),
    )
  }
  const { chainId, chainName } = required
  return (
    <>
      <Notice kind="warn">
        <strong>{wallet.name} is on another chain.</strong> It is on chain {wallet.chainId}, and the
        memories of this server are on {chainName == null ? 'chain' : `${chainName}, chain`}{' '}
        {chainId}. Switch the wallet to continue; that costs nothing.
      </Notice>
      {refusal?.chainId === wallet.chainId && <ProblemNotice problem={refusal.problem} />}
      <ButtonLine
        name={`Switch to ${chainName ?? `chain ${chainId}`}`}
        class="main"
        onClick={change}
      />
    </>
  )
}

/**
 * Switches the wallet to the chain of a server; an unknown chain is added first.
 *
 * @throws {Problem} when the wallet refuses, or does not know the chain and the server names no node
 */
async function switchChain(provider: Provider, deployment: Deployment): Promise<void> {
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

const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 }

type Chain = Pick<Deployment, 'chainId'> &
  Partial<Pick<Deployment, 'rpcUrl' | 'chainName' | 'explorerUrl' | 'nativeCurrency'>>

/**
 * Describes the chain of a server for a wallet; `undefined` when the server names no node that a
 * wallet may use: a wallet keeps a node that does not answer, and then works no more on that chain.
 */
export function describeChain(chain: Chain) {
  const { chainId, rpcUrl, chainName, explorerUrl, nativeCurrency = ether } = chain
  if (rpcUrl == null || !isWebAddress(rpcUrl)) return undefined
  return {
    chainId: `0x${chainId.toString(16)}`,
    chainName: chainName ?? `Chain ${chainId}`,
    rpcUrls: [rpcUrl],
    nativeCurrency,
    ...(explorerUrl != null && isWebAddress(explorerUrl) && { blockExplorerUrls: [explorerUrl] }),
  }
}
