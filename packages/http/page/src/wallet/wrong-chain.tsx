import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type Problem, problemOf } from '../api/problem.ts'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { connected } from './connected-wallet.ts'
import { switchChain } from './connect-wallet.ts'

/** Offers to bring the wallet to the chain of the server. */
export function WrongChain({ wanted }: { readonly wanted: number }): JSX.Element | undefined {
  const [problem, setProblem] = useState<Problem>()
  const wallet = connected.value
  if (wallet === undefined) return undefined
  const change = () => {
    setProblem(undefined)
    switchChain(wallet.provider, wanted).catch((error: unknown) => setProblem(problemOf(error)))
  }
  return (
    <>
      <Notice kind="warn">
        <p>
          <strong>{wallet.name} is on another chain.</strong> It is on chain {wallet.chainId}, and
          the memories of this server are on chain {wanted}. Switch the wallet to go on; nothing is
          paid by that.
        </p>
      </Notice>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <p class="buttons">
        <button type="button" class="main" onClick={change}>
          Switch to chain {wanted}
        </button>
      </p>
    </>
  )
}
