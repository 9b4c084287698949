import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type Problem, toProblem } from '../api/problem.ts'
import { deployment } from '../deployment.ts'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { connectedWallet } from './connected-wallet.ts'
import { switchChain } from './switch-chain.ts'

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
        <p>
          <strong>{wallet.name} is on another chain.</strong> It is on chain {wallet.chainId}, and
          the memories of this server are on {chainName == null ? 'chain' : `${chainName}, chain`}{' '}
          {chainId}. Switch the wallet to continue; that costs nothing.
        </p>
      </Notice>
      {refusal?.chainId === wallet.chainId && <ProblemNotice problem={refusal.problem} />}
      <p class="buttons">
        <button type="button" class="main" onClick={change}>
          Switch to {chainName ?? `chain ${chainId}`}
        </button>
      </p>
    </>
  )
}
