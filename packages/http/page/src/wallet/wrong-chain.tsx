import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type Problem, toProblem } from '../api/problem.ts'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { switchChain } from './connect-wallet.ts'
import { connectedWallet } from './connected-wallet.ts'

/** Shows that the wallet is on another chain, and a button to switch it. */
export function WrongChain({ required }: { readonly required: number }): JSX.Element | undefined {
  const [problem, setProblem] = useState<Problem>()
  const wallet = connectedWallet.value
  if (wallet === undefined) return undefined
  const change = () => {
    setProblem(undefined)
    switchChain(wallet.provider, required).catch((error: unknown) => setProblem(toProblem(error)))
  }
  return (
    <>
      <Notice kind="warn">
        <p>
          <strong>{wallet.name} is on another chain.</strong> It is on chain {wallet.chainId}, and
          the memories of this server are on chain {required}. Switch the wallet to continue; that
          costs nothing.
        </p>
      </Notice>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <p class="buttons">
        <button type="button" class="main" onClick={change}>
          Switch to chain {required}
        </button>
      </p>
    </>
  )
}
